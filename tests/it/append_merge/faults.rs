//! An in-memory disk that injects a fault at a chosen call.

use pgna::ReadAt;
use pgna::internals::container::Storage;
use std::io;
use std::sync::{Arc, Mutex};

/// A fault at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The call fails without effect; later calls succeed.
    Fails,
    /// The call fails after half of its bytes; later calls succeed.
    FailsHalfway,
    /// The disk is full from this call on: the file cannot grow.
    Full,
    /// The program ends before the call.
    Killed,
    /// The program ends halfway through the call.
    KilledHalfway,
    /// The power fails. Of the changes since the last sync, change `n` is applied if bit `n % 64`
    /// is set.
    PowerLost(u64),
}

/// A file, with an optional fault. Clones share the file.
#[derive(Debug, Clone)]
pub(crate) struct Disk(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    bytes: Vec<u8>,
    /// The content at the last sync.
    synced: Vec<u8>,
    /// The changes since the last sync.
    pending: Vec<Change>,
    fault: Option<(usize, Fault)>,
    calls: usize,
    is_dead: bool,
    is_full: bool,
}

#[derive(Debug, Clone)]
enum Change {
    Write(u64, Vec<u8>),
    Cut(u64),
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Write(offset, new) => {
            let start = *offset as usize;
            bytes.resize(bytes.len().max(start + new.len()), 0);
            bytes[start..start + new.len()].copy_from_slice(new);
        }
        Change::Cut(len) => bytes.resize(*len as usize, 0),
    }
}

impl Disk {
    /// A disk with a file. The fault is injected at the call with the given number, counted from 0.
    pub(crate) fn new(bytes: &[u8], fault: Option<(usize, Fault)>) -> Disk {
        Disk(Arc::new(Mutex::new(State {
            bytes: bytes.to_vec(),
            synced: bytes.to_vec(),
            pending: Vec::new(),
            fault,
            calls: 0,
            is_dead: false,
            is_full: false,
        })))
    }

    /// The content of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes.clone()
    }

    /// The number of calls.
    pub(crate) fn calls(&self) -> usize {
        self.0.lock().unwrap().calls
    }

    /// Whether the program was not stopped by a fault.
    pub(crate) fn survived(&self) -> bool {
        !self.0.lock().unwrap().is_dead
    }

    fn change(&self, change: Change) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        let half = match &change {
            Change::Write(offset, new) => {
                Some(Change::Write(*offset, new[..new.len() / 2].to_vec()))
            }
            Change::Cut(_) => None,
        };
        let fails = state.meets(half)?;
        if state.is_full && state.grows(&change) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        if fails {
            return Err(io::Error::other("input/output error"));
        }
        state.put(change);
        Ok(())
    }
}

impl State {
    fn put(&mut self, change: Change) {
        apply(&mut self.bytes, &change);
        self.pending.push(change);
    }

    fn grows(&self, change: &Change) -> bool {
        matches!(change, Change::Write(offset, new) if *offset as usize + new.len() > self.bytes.len())
    }

    /// Counts a call and applies its fault. Returns whether the call fails.
    fn meets(&mut self, half: Option<Change>) -> io::Result<bool> {
        let dead = || io::Error::other("the program is dead");
        if self.is_dead {
            return Err(dead());
        }
        let call = self.calls;
        self.calls += 1;
        let Some((_, fault)) = self.fault.filter(|(at, _)| *at == call) else {
            return Ok(false);
        };
        match fault {
            Fault::Fails => return Ok(true),
            Fault::FailsHalfway => {
                half.into_iter().for_each(|half| self.put(half));
                return Ok(true);
            }
            Fault::Full => {
                self.is_full = true;
                return Ok(false);
            }
            Fault::Killed => {}
            Fault::KilledHalfway => half.into_iter().for_each(|half| self.put(half)),
            Fault::PowerLost(arrived) => {
                half.into_iter().for_each(|half| self.put(half));
                let mut bytes = self.synced.clone();
                for (bit, change) in self.pending.iter().enumerate() {
                    if arrived >> (bit % 64) & 1 == 1 {
                        apply(&mut bytes, change);
                    }
                }
                self.bytes = bytes;
            }
        }
        self.is_dead = true;
        Err(dead())
    }
}

impl Storage for Disk {
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.change(Change::Write(offset, bytes.to_vec()))
    }

    fn truncate(&self, len: u64) -> io::Result<()> {
        self.change(Change::Cut(len))
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        if state.meets(None)? {
            return Err(io::Error::other("input/output error"));
        }
        state.synced = state.bytes.clone();
        state.pending.clear();
        Ok(())
    }
}

impl ReadAt for Disk {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes().len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        pgna::Bytes(self.bytes()).read_at(offset, len)
    }
}
