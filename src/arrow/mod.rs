//! Games as Arrow record batches, for data frames, databases and Parquet files: the columns of
//! [`Scan`](crate::Scan) as arrays, under names that [`ArrowColumns`] lists.
//!
//! ```
//! use arrow_array::cast::AsArray;
//! use arrow_array::types::{Int16Type, UInt16Type};
//! use arrow_array::{Array, RecordBatchReader};
//! use pgna::arrow::{ArrowColumns, ArrowScan};
//! use pgna::{Archive, PackOptions, Writer};
//! use std::sync::Arc;
//!
//! let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
//! let text = b"[White \"Kasparov\"]\n[WhiteElo \"2812\"]\n[Date \"1999.01.20\"]\n\n1. e4 d6 1-0\n\n\
//!     [White \"Morphy\"]\n[Date \"1858.??.??\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n";
//! writer.add_source("games.pgn", &text[..])?;
//! let archive = Arc::new(Archive::new(writer.finish()?.0)?);
//!
//! let columns = ArrowColumns::by_name(["White", "WhiteElo", "Date", "Date_text", "moves"])?;
//! let scan = ArrowScan::new(archive, &columns);
//! // The schema is known before the first batch.
//! assert_eq!(scan.schema().field(4).to_string(), columns.schema().field(4).to_string());
//! for batch in scan {
//!     let batch = batch?;
//!     let [white, elo, date, text, moves] = batch.columns() else {
//!         unreachable!("the columns that were asked for");
//!     };
//!     assert_eq!(white.as_string::<i32>().value(0), "Kasparov");
//!     assert_eq!(elo.as_primitive::<Int16Type>().value(0), 2812);
//!     assert!(elo.is_null(1));
//!     // A date with unknown parts is null; its text is a column of its own.
//!     assert!(date.is_valid(0) && date.is_null(1));
//!     assert_eq!(text.as_string::<i32>().value(1), "1858.??.??");
//!     let moves = moves.as_list::<i32>().value(1);
//!     assert_eq!(moves.as_primitive::<UInt16Type>().len(), 4);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`ArrowScan`] is an [`arrow_array::RecordBatchReader`], so a boxed one is what writers of
//! Parquet and the C stream interface take. The arrays are those of `arrow-array` 60; a program
//! that uses another major version of it cannot take them.

mod array;
mod columns;
mod scan;

pub use columns::{ArrowColumns, ColumnNameError};
pub use scan::ArrowScan;
