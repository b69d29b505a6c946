use super::*;
use object_store::memory::InMemory;
use object_store::{ObjectStoreExt as _, PutPayload};
use std::sync::Arc;

/// A store with one object, and the object.
fn stored(bytes: Vec<u8>) -> (Arc<InMemory>, io::Result<(StoredObject, Vec<u8>)>) {
    let store = Arc::new(InMemory::new());
    let path = Path::from("games.pgna");
    put(&store, bytes);
    let opened = StoredObject::of_store(Box::new(Arc::clone(&store)), path, Refusals::default());
    (store, opened)
}

fn put(store: &InMemory, bytes: Vec<u8>) {
    let path = Path::from("games.pgna");
    let put = store.put(&path, PutPayload::from(bytes));
    apart(async { Ok(put.await.unwrap()) }).unwrap();
}

fn bytes() -> Vec<u8> {
    let mixed = (0..200_000u32).map(|at| at ^ at >> 8);
    mixed.map(|mixed| mixed.to_le_bytes()[0]).collect()
}

#[test]
fn ranges_are_those_of_the_object() {
    let (_, opened) = stored(bytes());
    let (object, start) = opened.unwrap();
    assert_eq!(object.size().unwrap(), 200_000);
    assert_eq!(start, bytes()[..16_384]);
    assert_eq!(object.read_at(150_000, 50_000).unwrap(), bytes()[150_000..]);
    let (_, opened) = stored(vec![7; 100]);
    let (object, start) = opened.unwrap();
    assert_eq!((object.size().unwrap(), start), (100, vec![7; 100]));
}

#[test]
fn an_object_that_has_changed_is_an_error() {
    let (store, opened) = stored(bytes());
    let (object, _) = opened.unwrap();
    put(&store, bytes());
    let error = object.read_at(70_000, 1).unwrap_err();
    assert_eq!(error.to_string(), failure::CHANGED);
}

/// As in the handler of a server, where `block_on` panics.
#[test]
fn an_object_is_read_in_a_task_of_a_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (_, opened) = stored(bytes());
        let (object, _) = opened.unwrap();
        assert_eq!(object.read_at(70_000, 1).unwrap(), bytes()[70_000..70_001]);
    });
}

#[test]
fn a_panic_in_a_request_is_an_error() {
    let error = apart::<()>(async { panic!("as of a bug") }).unwrap_err();
    assert!(error.to_string().contains("internal error"));
}
