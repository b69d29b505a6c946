//! The reader of archives for a worker of a browser: a C interface, which README.md describes.
//!
//! The worker has one thread and opens one archive.

mod memory;
mod source;

use memory::Given;
use pgna::{ApiAnswer, Archive, ArchiveAnswers, BuiltinModel, Limits, PagedSource};
use source::Source;
use std::cell::RefCell;

/// The open archive, and the body of the last answer.
#[derive(Default)]
struct State {
    archive: Option<ArchiveAnswers>,
    body: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Opens the archive of `size` bytes that the import `read` reads, under a name. Returns a status of
/// HTTP.
#[unsafe(no_mangle)]
pub extern "C" fn open(name: *mut u8, length: usize, size: f64) -> u32 {
    let name = Given::new(name, length).into_text();
    BuiltinModel::set_loader(source::model);
    let source = PagedSource::new(Source::new(size));
    match Archive::open(source, Limits::default()) {
        Ok(archive) => {
            let answers = ArchiveAnswers::new(name, archive);
            let summary = answers.answer("");
            STATE.with_borrow_mut(|state| state.archive = Some(answers));
            respond(summary)
        }
        Err(error) => respond(error.into()),
    }
}

/// Answers what follows `/api/archives/{name}` in an address. Returns a status of HTTP, or 0 if no
/// archive is open.
#[unsafe(no_mangle)]
pub extern "C" fn answer(address: *mut u8, length: usize) -> u32 {
    let address = Given::new(address, length).into_text();
    let answer = STATE.with_borrow(|state| {
        let archive = state.archive.as_ref();
        archive.map(|archive| archive.answer(&address))
    });
    answer.map_or(0, respond)
}

/// Stores the body of an answer, and returns its status.
fn respond(answer: ApiAnswer) -> u32 {
    STATE.with_borrow_mut(|state| state.body = answer.body);
    answer.status.into()
}

/// The body of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn body() -> *const u8 {
    STATE.with_borrow(|state| state.body.as_ptr())
}

/// The length of the body of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn body_length() -> usize {
    STATE.with_borrow(|state| state.body.len())
}
