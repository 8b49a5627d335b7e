//! Weighted least squares by the normal equations, for the few unknowns of planes and projections.
//!
//! Input: linear equations, each with the noise of its value. Output: the unknowns. Invariant:
//! equations are summed up in double precision, so that their number and order hardly matter.

/// Weighted least squares with `N` unknowns.
#[derive(Debug, Clone)]
pub(super) struct Fit<const N: usize> {
    normal: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> Default for Fit<N> {
    fn default() -> Fit<N> {
        Fit { normal: [[0.0; N]; N], right: [0.0; N] }
    }
}

impl<const N: usize> Fit<N> {
    /// Adds an equation `row . unknowns = value` whose value has the given noise.
    pub(super) fn add(&mut self, row: [f32; N], value: f32, noise: f32) {
        let weight = 1.0 / f64::from(noise * noise);
        for i in 0..N {
            for j in 0..N {
                self.normal[i][j] += weight * f64::from(row[i]) * f64::from(row[j]);
            }
            self.right[i] += weight * f64::from(row[i]) * f64::from(value);
        }
    }

    /// Solves for the unknowns, by Gaussian elimination with pivots; `None` if the equations are
    /// singular.
    pub(super) fn solve(&self) -> Option<[f32; N]> {
        let mut normal = self.normal;
        let mut right = self.right;
        for i in 0..N {
            let pivot =
                (i..N).max_by(|&a, &b| normal[a][i].abs().total_cmp(&normal[b][i].abs()))?;
            normal.swap(i, pivot);
            right.swap(i, pivot);
            if normal[i][i].abs() < 1e-9 {
                return None;
            }
            for j in i + 1..N {
                let factor = normal[j][i] / normal[i][i];
                let pivot_row = normal[i];
                for (value, pivot) in normal[j].iter_mut().zip(pivot_row).skip(i) {
                    *value -= factor * pivot;
                }
                right[j] -= factor * right[i];
            }
        }
        let mut solved = [0.0; N];
        for i in (0..N).rev() {
            let known: f64 = (i + 1..N).map(|k| normal[i][k] * solved[k]).sum();
            solved[i] = (right[i] - known) / normal[i][i];
        }
        Some(solved.map(|value| value as f32))
    }
}
