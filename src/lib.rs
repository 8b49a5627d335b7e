//! Tilesight reads a photo of a winning mahjong hand and scores it.
//!
//! The modules follow the pipeline. `pipeline` turns the bytes of a photo into a hand: it decodes,
//! detects, refines, classifies and lays out. [`rules`] scores a hand; [`contract`] is the JSON of
//! both. `http` is the service and `cli` the command. The modules from [`tile`] to [`rules`] use no
//! images, no I/O and no async, and compile without any cargo feature.
//!
//! # Score a hand
//!
//! A hand is written in a [`notation`], here with an exposed pung and the win context. It can be
//! scored by any rule set of a [`Book`](rules::Book).
//!
//! ```
//! use tilesight::explain::Lang;
//! use tilesight::notation::Notation;
//! use tilesight::rules::{Book, RulesetId};
//!
//! let book = Book::shipped();
//! let notation: Notation = "[EEE,2]123m456p789s5s5s|SE1000".parse()?;
//! let hand = notation.hand.into_hand()?;
//! let (context, defaults) = notation.context.resolve()?;
//! let score = book.get(RulesetId::MCR_WMO)?.score(&hand, &context)?;
//!
//! let first = &score.awards[0];
//! assert_eq!((first.rule.name(Lang::En), first.worth.points()), ("Mixed Straight", 8));
//! assert!(score.total >= 8 && defaults.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Read a photo
//!
//! Reading needs the feature `runtime`, and ONNX Runtime and the networks at run time
//! (`make setup`).
//!
#![cfg_attr(feature = "runtime", doc = "```no_run")]
#![cfg_attr(not(feature = "runtime"), doc = "```ignore")]
//! use tilesight::context::ContextSetup;
//! use tilesight::pipeline::{ModelPaths, Reader};
//! use tilesight::rules::Book;
//!
//! let book = Book::shipped();
//! let reader = Reader::load(&ModelPaths::from_environment())?;
//! let photo = std::fs::read("photo.jpg")?;
//! let reading = reader.read(&photo, &ContextSetup::default(), book.usual())?;
//! println!("{:?}, {} tiles", reading.status, reading.tiles.len());
//! if let Some(score) = &reading.score {
//!     println!("{} points", score.total);
//! }
//! for doubt in &reading.doubts {
//!     println!("{:?}, {} answers", doubt.kind, doubt.alternatives.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | none | hands, notation, rules and the JSON contract |
//! | `pictures` | the drawn tile set, and the picture of a scored hand |
//! | `vision` | reading photos, with networks that implement [`Model`](pipeline::Model) |
//! | `runtime` | the networks by ONNX Runtime; the picture of a reading |
//! | `jobs` | jobs of many photos in a folder, with SQLite (needs a C compiler) |
//! | `fleet` | jobs of many machines, through NATS |
//! | `s3` | photos of a fleet in S3-compatible storage |
//! | `http` | the HTTP service |
//! | `tls` | HTTPS by the service itself (needs a C compiler) |
//! | `web` | the page, embedded from `web/dist` (needs Node to build it) |
//! | `cli` | the `tilesight` command |
//! | `batch` | `tilesight batch` |
//! | `allocator` | the command's own allocator (needs a C compiler) |
//!
//! The default features are `cli`, `allocator`, `runtime`, `http`, `jobs`, `batch`, `fleet` and
//! `tls`. See the repository's `ARCHITECTURE.md` for an overview of the code, and `examples/` for
//! complete programs.

#[cfg(feature = "jobs")]
pub mod batch;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "vision")]
pub mod config;
#[cfg(feature = "jobs")]
pub mod games;
#[cfg(feature = "http")]
pub mod http;
#[cfg(any(feature = "cli", feature = "jobs"))]
mod input_file;
#[cfg(feature = "jobs")]
pub mod jobs;
#[cfg(feature = "jobs")]
mod private;
#[cfg(feature = "jobs")]
mod random;
#[cfg(feature = "jobs")]
mod sharing;
#[cfg(any(feature = "fleet", feature = "http", all(feature = "cli", feature = "jobs")))]
mod trusted_file;
#[cfg(feature = "jobs")]
mod worker_threads;

/// Tests the examples of the README, like those in the code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
