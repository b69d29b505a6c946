//! Parallel work on the thread pool of the feature `threads`, which is rayon's current one. Only
//! this module names rayon, and the program, which sets the number of threads. Without the feature
//! `threads` the caller's thread does all work.
//!
//! Each use of a rayon iterator is monomorphised with all its splitting and joining code: a
//! fifth of the library's LLVM IR. Here a task is a number and the work is a `dyn` closure, so
//! one loop serves all. The generic functions around it are small, since they are what is
//! monomorphised.
//!
//! A task costs a lock and an indirect call. Callers batch tasks that take less than a few
//! microseconds.

use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "answers")]
mod cancel;
mod once;

#[cfg(feature = "answers")]
pub(crate) use cancel::uncancelled;
#[cfg(feature = "serve")]
pub(crate) use cancel::{CancelToken, Cancelled, cancellable};
pub(crate) use once::TryOnce;

/// Shorter slices are sorted by one thread.
const LEAST_SORTED: usize = 1 << 12;

thread_local! {
    /// Whether the thread does all its work alone.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Calls `work`, which is then not divided among threads. A thread that waits for the others does tasks
/// of other callers in the meantime: if it has a lock, one of them may want the same lock.
fn alone<T>(work: impl FnOnce() -> T) -> T {
    /// Ends it also after a panic, by which work is cancelled.
    struct Guard(bool);

    impl Drop for Guard {
        fn drop(&mut self) {
            IS_ALONE.set(self.0);
        }
    }

    let _guard = Guard(IS_ALONE.replace(true));
    work()
}

/// Calls `work` with each number below `count`, in any order.
#[cfg(feature = "threads")]
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    use rayon::prelude::*;
    match IS_ALONE.get() {
        true => (0..count).for_each(work),
        false => (0..count).into_par_iter().for_each(work),
    }
}

/// Does two things, if possible at the same time.
#[cfg(feature = "threads")]
pub(crate) fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    match IS_ALONE.get() {
        true => (one(), other()),
        false => rayon::join(one, other),
    }
}

/// The number of threads of the pool.
#[cfg(feature = "threads")]
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "threads"))]
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).for_each(work);
}

#[cfg(not(feature = "threads"))]
pub(crate) fn threads() -> usize {
    1
}

#[cfg(not(feature = "threads"))]
pub(crate) fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    (a(), b())
}

/// Maps the items in parallel; results are in the order of the items.
///
/// Takes the memory of all items, all results and a lock for each. Callers with more items
/// than a segment has games batch them.
pub(crate) fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    f: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    // Loops, because `collect` takes several times their code.
    let items = items.into_iter();
    let mut slots = Vec::with_capacity(items.size_hint().0);
    for item in items {
        slots.push(Mutex::new((Some(item), None)));
    }
    let count = slots.len();
    let work = |at: usize| {
        if let Some(slot) = slots.get(at) {
            // Only this task ever locks it.
            let (item, result) = &mut *lock(slot);
            *result = item.take().map(&f);
        }
    };
    #[cfg(feature = "answers")]
    each(count, &cancel::checked(work));
    #[cfg(not(feature = "answers"))]
    each(count, &work);
    let mut results = Vec::with_capacity(slots.len());
    for slot in slots {
        if let (_, Some(result)) = into_inner(slot) {
            results.push(result);
        }
    }
    debug_assert_eq!(results.len(), count);
    results
}

/// As [`map`] until an item fails: items after it are then not started. Returns the error of the
/// first item that fails, whatever the number of threads.
pub(crate) fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    f: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let first_failed = AtomicUsize::new(usize::MAX);
    let results = map(items.into_iter().enumerate(), |(at, item)| {
        if at > first_failed.load(Relaxed) {
            return None;
        }
        let result = f(item);
        if result.is_err() {
            first_failed.fetch_min(at, Relaxed);
        }
        Some(result)
    });
    // Only items after the first error are missing.
    results.into_iter().flatten().collect()
}

/// Calls `f` with each item, in any order.
pub(crate) fn for_each<T: Send>(items: impl IntoIterator<Item = T>, f: impl Fn(T) + Sync) {
    map(items, f);
}

/// Adds up all items and collects the results of `add` in the order of the items.
///
/// Which items share a sum, and the order in which sums are merged, depend on the threads, so
/// `add` and `merge` must be commutative. There is at most one sum for each running task.
pub(crate) fn fold<T: Send, A: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    none: impl Fn() -> A + Sync,
    add: impl Fn(&mut A, T) -> R + Sync,
    mut merge: impl FnMut(&mut A, A),
) -> (A, Vec<R>) {
    let idle: Mutex<Vec<A>> = Mutex::new(Vec::new());
    let results = map(items, |item| {
        let sum = lock(&idle).pop();
        let mut sum = sum.unwrap_or_else(&none);
        let result = add(&mut sum, item);
        lock(&idle).push(sum);
        result
    });
    let mut sums = into_inner(idle).into_iter();
    let mut all = sums.next().unwrap_or_else(none);
    sums.for_each(|sum| merge(&mut all, sum));
    (all, results)
}

/// A stable sort: parts are sorted in parallel, then `slice::sort_by`, which detects sorted
/// runs, merges them on one thread. Allocates up to half the size of the slice.
pub(crate) fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
    let part = items.len().div_ceil(threads()).max(LEAST_SORTED);
    for_each(items.chunks_mut(part), |part| part.sort_by(&compare));
    items.sort_by(&compare);
}

/// Locks a mutex, ignoring poisoning: no holder leaves its data half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does work on a pool of this many threads.
#[cfg(test)]
pub(crate) fn with_threads(
    threads: usize,
    work: impl FnOnce() + Send,
) -> Result<(), rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build()?.install(work);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Runs a test with one thread and with several.
    fn with_pools(test: impl Fn() + Sync) {
        for threads in [1, 4] {
            with_threads(threads, || {
                assert_eq!(super::threads(), threads);
                test();
            })
            .unwrap();
        }
    }

    #[test]
    fn each_number_comes_once() {
        with_pools(|| {
            let seen: Vec<AtomicUsize> = (0..1000).map(|_| AtomicUsize::new(0)).collect();
            each(seen.len(), &|at| {
                seen[at].fetch_add(1, Relaxed);
            });
            assert!(seen.iter().all(|count| count.load(Relaxed) == 1));
        });
    }

    #[test]
    fn results_keep_the_order_of_the_items() {
        with_pools(|| {
            let squares: Vec<usize> = (0..1000).map(|n| n * n).collect();
            assert_eq!(map(0..1000, |n| n * n), squares);
            let texts: Vec<String> = squares.iter().map(usize::to_string).collect();
            assert_eq!(map(&squares, usize::to_string), texts);
            // What is owned is moved.
            assert_eq!(map(texts.clone(), |text| text), texts);
        });
    }

    #[test]
    fn nothing_gives_nothing() {
        with_pools(|| {
            each(0, &|_| panic!("no number is below 0"));
            assert!(map([0_u8; 0], |n| n).is_empty());
            let sum = fold([0_u8; 0], || 7, |sum, n| *sum += n, |sum, n| *sum += n);
            assert_eq!(sum, (7, vec![]));
            sort_by(&mut [0_u8; 0], Ord::cmp);
        });
    }

    #[test]
    fn items_are_changed_in_place() {
        with_pools(|| {
            let mut numbers: Vec<usize> = (0..1000).collect();
            for_each(&mut numbers, |n| *n += 1);
            assert_eq!(numbers, (1..=1000).collect::<Vec<_>>());
        });
    }

    #[test]
    fn sums_are_of_all_items_and_no_more_than_the_threads() {
        with_pools(|| {
            let sums = AtomicUsize::new(0);
            let none = || {
                sums.fetch_add(1, Relaxed);
                0
            };
            let add = |sum: &mut usize, n: usize| {
                *sum += n;
                2 * n
            };
            let (sum, doubled) = fold(0..1000, none, add, |sum, other| *sum += other);
            assert_eq!(sum, 999 * 500);
            assert_eq!(doubled, (0..1000).map(|n| 2 * n).collect::<Vec<_>>());
            assert!((1..=threads()).contains(&sums.into_inner()));
        });
    }

    #[test]
    fn the_first_error_is_returned_and_ends_the_work() {
        with_pools(|| {
            let started = AtomicUsize::new(0);
            let double = |n: usize| {
                started.fetch_add(1, Relaxed);
                if n % 100 == 99 { Err(n) } else { Ok(2 * n) }
            };
            assert_eq!(try_map(0..99, double), Ok(map(0..99, |n| 2 * n)));
            started.store(0, Relaxed);
            assert_eq!(try_map(0..100_000, double), Err(99));
            // Each thread starts with a range of its own.
            assert!(started.load(Relaxed) < 50_000);
        });
    }

    #[test]
    fn equal_items_keep_their_order_when_sorted() {
        with_pools(|| {
            let number = |n: usize| (n * 7919 % 97, n);
            let mut sorted: Vec<_> = (0..5 * LEAST_SORTED).map(number).collect();
            sort_by(&mut sorted, |a, b| a.0.cmp(&b.0));
            assert!(sorted.is_sorted());
        });
    }

    #[test]
    fn work_within_work_ends() {
        with_pools(|| {
            let row = |row: usize| map(0..50, |n| row * n).iter().sum::<usize>();
            let add = |sum: &mut usize, n| *sum += row(n);
            let (sum, _) = fold(0..50, || 0, add, |sum, other| *sum += other);
            assert_eq!(sum, map(0..50, row).iter().sum::<usize>());
        });
    }

    #[test]
    fn panics_go_on_in_the_caller() {
        with_pools(|| {
            let fails = |n: usize| assert_ne!(n, 500, "this panic belongs to the test");
            let map = catch_unwind(AssertUnwindSafe(|| map(0..1000, fails)));
            assert!(map.is_err());
            let add = |_: &mut (), n| fails(n);
            let fold = catch_unwind(AssertUnwindSafe(|| fold(0..1000, || (), add, |_, _| ())));
            assert!(fold.is_err());
        });
    }
}
