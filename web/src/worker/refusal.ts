/** Why an archive cannot be read, in words for the one who opened it. */
export class Refusal extends Error {
  /** `isPassing` says whether it may succeed another time. */
  constructor(
    message: string,
    readonly isPassing = false,
  ) {
    super(message);
  }
}

/** The refusal that a status of HTTP means. */
export function refusalOf(status: number, host: string): Refusal {
  switch (status) {
    case 404:
    case 410:
      return new Refusal(`${host} has no such file. Check the address.`);
    case 401:
    case 403:
      return new Refusal(`${host} does not allow this file to be read (status ${status}).`);
    case 429:
      return new Refusal(`${host} has received too many requests. Wait a moment.`, true);
    default:
      return status >= 500
        ? new Refusal(`${host} has a fault of its own (status ${status}). Try later.`, true)
        : new Refusal(`${host} answers with status ${status} in place of the file.`);
  }
}
