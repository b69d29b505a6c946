/**
 * Where answers about archives come from: answers an address of `/api`. It fails with an ApiError
 * if there is no answer, or one that is an error. The build chooses the source, `#source`.
 */
export type Source = (url: string, accept: string, signal?: AbortSignal) => Promise<Response>;
