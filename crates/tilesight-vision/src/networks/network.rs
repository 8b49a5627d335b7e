//! [`Model`] made of networks that a runtime runs.
//!
//! Input: pictures in cells and crops in planes, and an implementation of [`Network`] for each
//! network of a manifest: ONNX Runtime here, that of a browser elsewhere. Output: the networks' raw
//! planes and rows. Invariant: an output of another shape than specified is an error.

use std::fmt;

use super::Planes;
use super::error::network_failure;
use super::manifest::LARGE_CLASSIFIER;
use super::{Cells, ClassifierRows, Corners, DetectorMaps, Device, Manifest, Model, ModelError};

/// Input of a network: its shape, and its numbers in the order of the shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tensor<'a> {
    /// Pictures in cells: number of pictures, rows of cells, cells of a row, bytes of a cell.
    Cells([usize; 4], &'a [u8]),
    /// Crops in planes: number of crops, channels, rows, columns.
    Planes([usize; 4], &'a [f32]),
}

/// An output of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Shape of the output.
    pub shape: Vec<usize>,
    /// Numbers of the output, in the order of the shape.
    pub data: Vec<f32>,
}

/// A network with the runtime that runs it.
pub trait Network: Send + Sync + fmt::Debug {
    /// Returns the maximum number of rows of an input: one if the network's file fixes their
    /// number, else unlimited.
    fn max_rows(&self) -> usize {
        usize::MAX
    }

    /// Runs the network on one input. The outputs are in the order of their names.
    ///
    /// # Errors
    /// The runtime's message.
    fn run(
        &self,
        input: &str,
        tensor: Tensor<'_>,
        outputs: &[&'static str],
    ) -> Result<Vec<Output>, String>;
}

/// Networks of a manifest.
#[derive(Debug)]
pub struct Networks<N> {
    manifest: Manifest,
    device: Device,
    detector: N,
    refiner: Option<N>,
    classifier: N,
    large_classifier: Option<N>,
}

impl<N: Network> Networks<N> {
    /// Opens the networks that a manifest names, each by its kind: `detector`, `refiner`,
    /// `classifier` or `large_classifier`.
    ///
    /// # Errors
    /// The error of `open`.
    pub fn open(
        manifest: Manifest,
        device: Device,
        mut open: impl FnMut(&'static str) -> Result<N, ModelError>,
    ) -> Result<Networks<N>, ModelError> {
        Ok(Networks {
            detector: open("detector")?,
            refiner: manifest.refiner.is_some().then(|| open("refiner")).transpose()?,
            classifier: open("classifier")?,
            large_classifier: manifest
                .large_classifier
                .is_some()
                .then(|| open(LARGE_CLASSIFIER))
                .transpose()?,
            manifest,
            device,
        })
    }
}

impl<N: Network> Model for Networks<N> {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn device(&self) -> Device {
        self.device
    }

    fn max_pictures(&self) -> usize {
        self.detector.max_rows()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        let Cells { count, rows, columns, data } = images;
        let tensor = Tensor::Cells([*count, *rows, *columns, Cells::BYTES], data);
        let outputs = ["heat", "quad", "axis", "face"];
        let [heat, quad, axis, face] = run("detector", &self.detector, "image", tensor, outputs)?;
        let maps = DetectorMaps {
            heat: heat.planes("detector", *count, 1)?,
            quad: quad.planes("detector", *count, 16)?,
            axis: axis.planes("detector", *count, 1)?,
            face: face.planes("detector", *count, 1)?,
        };
        let sizes = [&maps.quad, &maps.axis, &maps.face].map(|map| (map.height, map.width));
        if sizes.iter().any(|&size| size != (maps.heat.height, maps.heat.width)) {
            return Err(network_failure("detector", "its maps differ in size"));
        }
        Ok(maps)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        let Some(refiner) = &self.refiner else {
            return Err(network_failure("refiner", "the manifest does not name it"));
        };
        let [corners] = run("refiner", refiner, "crops", crops.tensor(), ["corners"])?;
        let rows = corners.rows("refiner", crops.count, 8)?;
        Ok(rows.iter().map(|row| std::array::from_fn(|i| row[i])).collect())
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        let name = "classifier";
        let tensor = crops.tensor();
        let (answers, embeddings) = match self.manifest.classifier.embedding {
            None => {
                let outputs = ["classes", "turn", "red"];
                (run(name, &self.classifier, "crops", tensor, outputs)?, Vec::new())
            }
            Some(length) => {
                let outputs = ["classes", "turn", "red", "embedding"];
                let [classes, turn, red, embedding] =
                    run(name, &self.classifier, "crops", tensor, outputs)?;
                ([classes, turn, red], embedding.rows(name, crops.count, length)?)
            }
        };
        Ok(ClassifierRows { embeddings, ..self.classifier_rows(name, crops.count, answers)? })
    }

    fn classify_large(
        &self,
        crops: &Planes,
        _embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        let Some(network) = &self.large_classifier else { return Ok(None) };
        let outputs = ["classes", "turn", "red"];
        let answers = run(LARGE_CLASSIFIER, network, "crops", crops.tensor(), outputs)?;
        self.classifier_rows(LARGE_CLASSIFIER, crops.count, answers).map(Some)
    }
}

impl<N> Networks<N> {
    /// Returns the rows of a classifier, without embeddings.
    fn classifier_rows(
        &self,
        network: &'static str,
        count: usize,
        [classes, turn, red]: [Output; 3],
    ) -> Result<ClassifierRows, ModelError> {
        let turns = turn.rows(network, count, 4)?;
        Ok(ClassifierRows {
            classes: classes.rows(network, count, self.manifest.classifier.classes.len())?,
            turns: turns.iter().map(|row| [row[0], row[1], row[2], row[3]]).collect(),
            red: red.rows(network, count, 1)?.into_iter().flatten().collect(),
            embeddings: Vec::new(),
        })
    }
}

fn run<const N: usize>(
    name: &'static str,
    network: &impl Network,
    input: &str,
    tensor: Tensor<'_>,
    outputs: [&'static str; N],
) -> Result<[Output; N], ModelError> {
    let outputs =
        network.run(input, tensor, &outputs).map_err(|reason| network_failure(name, reason))?;
    outputs.try_into().map_err(|_| network_failure(name, "an output is missing"))
}

impl Planes {
    fn tensor(&self) -> Tensor<'_> {
        Tensor::Planes([self.count, self.channels, self.height, self.width], &self.data)
    }
}

impl Output {
    /// Returns the output as the planes of every picture.
    fn planes(
        self,
        network: &'static str,
        count: usize,
        channels: usize,
    ) -> Result<Planes, ModelError> {
        match *self.shape.as_slice() {
            [pictures, found, height, width]
                if (pictures, found) == (count, channels) && self.is_whole() =>
            {
                Ok(Planes { count, channels, height, width, data: self.data })
            }
            _ => Err(self.wrong_shape(network)),
        }
    }

    /// Returns the output as one row for every crop.
    fn rows(
        self,
        network: &'static str,
        count: usize,
        length: usize,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        if self.shape != [count, length] || !self.is_whole() {
            return Err(self.wrong_shape(network));
        }
        Ok(self.data.chunks(length.max(1)).map(<[f32]>::to_vec).collect())
    }

    /// Returns whether the number of values matches the shape.
    fn is_whole(&self) -> bool {
        self.shape.iter().product::<usize>() == self.data.len()
    }

    fn wrong_shape(&self, network: &'static str) -> ModelError {
        network_failure(network, format_args!("an output has the shape {:?}", self.shape))
    }
}
