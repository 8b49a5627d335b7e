//! The networks with the pictures of several photos in one run, as on an accelerator, compared with
//! one run for each: the outputs are the same, and no photo gets those of another.
//!
//! The test runs on the processor's cores, on which the program itself does not use batches.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::thread::yield_now;

use tilesight_core::context::ContextSetup;
use tilesight_core::rules::Book;
use tilesight_vision::networks::{
    BatchingModel, Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Onnx, Planes,
};
use tilesight_vision::pixels::detect::pyramid;
use tilesight_vision::{DecodeLimits, Model, ModelError, ModelPaths, Photo, Reader, SeenTile};

use crate::common::reader;

/// Number of photos that are read at the same time.
const THREADS: usize = 6;
/// Number of photos that each thread reads.
const EACH: usize = 2;

fn samples(count: usize) -> Vec<Vec<u8>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("datasets/samples");
    let entries = std::fs::read_dir(folder).expect("the samples are committed");
    let mut photos: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    photos.retain(|path| path.extension().is_some_and(|end| end == "jpg"));
    photos.sort();
    assert!(photos.len() >= count, "{} samples", photos.len());
    photos[..count].iter().map(|path| std::fs::read(path).expect("readable")).collect()
}

/// Returns the networks with one session each, so that every other request has to wait.
fn networks() -> Onnx {
    let networks = Onnx::load_sessions(&ModelPaths::from_environment(), 1);
    networks.unwrap_or_else(|error| panic!("{error}"))
}

/// Numbers of requests to the refiner and of its runs.
#[derive(Debug, Default)]
struct Counts {
    requests: AtomicUsize,
    runs: AtomicUsize,
}

/// Model that calls a function before each run of its refiner.
#[derive(Debug)]
struct CountingModel<M> {
    inner: M,
    counts: Arc<Counts>,
    count: fn(&Counts),
}

impl<M: Model> Model for CountingModel<M> {
    fn manifest(&self) -> &Manifest {
        self.inner.manifest()
    }

    fn max_pictures(&self) -> usize {
        self.inner.max_pictures()
    }

    fn max_crops(&self) -> usize {
        self.inner.max_crops()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        self.inner.detect(images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        (self.count)(&self.counts);
        self.inner.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.inner.classify(crops)
    }

    fn classify_large(
        &self,
        crops: &Planes,
        embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        self.inner.classify_large(crops, embeddings)
    }
}

/// Counts a run. The first one lasts until every thread has made a request.
fn count_run(counts: &Counts) {
    if counts.runs.fetch_add(1, SeqCst) == 0 {
        while counts.requests.load(SeqCst) < THREADS {
            yield_now();
        }
    }
}

fn count_request(counts: &Counts) {
    counts.requests.fetch_add(1, SeqCst);
}

fn seen(reader: &Reader, photo: &[u8]) -> Vec<SeenTile> {
    let trace = reader.trace(photo, &ContextSetup::default(), Book::shipped().usual().clone());
    trace.unwrap_or_else(|error| panic!("{error}")).observation.classified
}

#[test]
fn threads_that_share_runs_see_what_each_sees_alone() {
    let photos = samples(THREADS * EACH);
    let alone = reader();
    let alone: Vec<_> = photos.iter().map(|photo| seen(&alone, photo)).collect();
    let counts = Arc::new(Counts::default());
    let running =
        CountingModel { inner: networks(), counts: Arc::clone(&counts), count: count_run };
    let shared = Reader::with_model(CountingModel {
        inner: BatchingModel::new(running),
        counts: Arc::clone(&counts),
        count: count_request,
    });
    let shared = std::thread::scope(|scope| {
        let read = |photos: &'_ [Vec<u8>]| -> Vec<_> {
            photos.iter().map(|photo| seen(&shared, photo)).collect()
        };
        let threads: Vec<_> =
            photos.chunks(EACH).map(|photos| scope.spawn(move || read(photos))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
    });
    for (n, (shared, alone)) in shared.iter().zip(&alone).enumerate() {
        assert_eq!(shared, alone, "photo {n}");
    }
    let (requests, runs) = (counts.requests.load(SeqCst), counts.runs.load(SeqCst));
    assert!(runs < requests, "{runs} runs for {requests} requests");
}

/// Joins pictures of one shape.
fn joined_cells(pictures: &[Cells]) -> Cells {
    let data = pictures.iter().flat_map(|picture| picture.data.iter().copied()).collect();
    Cells { count: pictures.iter().map(|picture| picture.count).sum(), data, ..pictures[0] }
}

/// Joins planes of one shape.
fn joined(pictures: &[Planes]) -> Planes {
    let data = pictures.iter().flat_map(|picture| picture.data.iter().copied()).collect();
    Planes { count: pictures.iter().map(|picture| picture.count).sum(), data, ..pictures[0] }
}

/// Returns each photo at the detector's largest size, if it has the shape of the first one.
fn views(detector: &[u32]) -> Vec<Cells> {
    let photos = samples(THREADS);
    let photos = photos.iter().map(|bytes| Photo::decode(bytes, &DecodeLimits::default()));
    let largest = |photo: Photo| Cells::from_image(&pyramid(&photo, &detector[..1])[0].0);
    let views: Vec<Cells> = photos.map(|photo| largest(photo.expect("a photo"))).collect();
    let first = views[0].size();
    views.into_iter().filter(|view| view.size() == first).collect()
}

#[test]
fn pictures_in_one_run_are_answered_as_alone() {
    let networks = networks();
    let views = views(&networks.manifest().detector.sizes);
    assert!(views.len() > 1, "several samples have one shape");
    for views in views.chunks(networks.max_pictures().min(views.len())) {
        let together = networks.detect(&joined_cells(views)).expect("it runs");
        let alone = views.iter().map(|view| networks.detect(view).expect("it runs"));
        let alone: Vec<DetectorMaps> = alone.collect();
        let parts = |maps: &DetectorMaps| {
            [&maps.heat, &maps.quad, &maps.axis, &maps.face].map(Planes::clone)
        };
        let alone: Vec<[Planes; 4]> = alone.iter().map(parts).collect();
        for (n, together) in parts(&together).iter().enumerate() {
            let alone: Vec<Planes> = alone.iter().map(|parts| parts[n].clone()).collect();
            assert!(*together == joined(&alone), "map {n} differs");
        }
    }
}

/// Returns parts of pictures with the size of a network's crops.
fn crops(views: &[Cells], [height, width]: [usize; 2]) -> Vec<Planes> {
    let crop = |view: &Cells| {
        let mut crop = Planes::filled(1, 3, height, width, 0.0);
        for (channel, y, x) in
            (0..3).flat_map(|c| (0..height).flat_map(move |y| (0..width).map(move |x| (c, y, x))))
        {
            let shown = view.pixel(0, 2 * width + x, view.size().1 / 3 + y)[channel];
            *crop.at_mut(0, channel, y, x) = f32::from(shown) / 255.0;
        }
        crop
    };
    views.iter().map(crop).collect()
}

#[test]
fn crops_in_one_run_are_answered_as_alone() {
    let networks = networks();
    let manifest = networks.manifest();
    let views = views(&manifest.detector.sizes);
    let refiner = manifest.refiner.as_ref().expect("there is one");
    let small = crops(&views, refiner.crop.input);
    let together = networks.refine(&joined(&small)).expect("it runs");
    let alone = small.iter().flat_map(|crop| networks.refine(crop).expect("it runs"));
    assert_eq!(together, alone.collect::<Vec<Corners>>());
    let small = crops(&views, manifest.classifier.crop.input);
    let together = networks.classify(&joined(&small)).expect("it runs");
    for (n, crop) in small.iter().enumerate() {
        let alone = networks.classify(crop).expect("it runs");
        assert_eq!(together.classes[n], alone.classes[0], "crop {n}");
        assert_eq!((together.turns[n], together.red[n]), (alone.turns[0], alone.red[0]));
    }
}
