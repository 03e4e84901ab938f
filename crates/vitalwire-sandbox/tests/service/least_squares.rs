//! Ordinary least squares within groups.

/// Quantile of the normal distribution for an interval that holds 95 of 100 values.
const NORMAL_95: f64 = 1.96;

/// Observations of groups: regressors and the response.
#[derive(Default)]
pub(crate) struct Regression<const N: usize> {
    groups: Vec<Vec<([f64; N], f64)>>,
}

/// Estimate of a coefficient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    /// Half the width of the confidence interval of 95 %.
    pub(crate) margin: f64,
}

impl Estimate {
    /// Checks that the confidence interval contains a true size, and is narrower than the size.
    #[track_caller]
    pub(crate) fn assert_recovers(self, size: f64, name: &str) {
        assert!((self.value - size).abs() <= self.margin, "{name} is {size}, estimated as {self:?}");
        assert!(self.margin < size.abs(), "{name}: {self:?}");
    }
}

impl<const N: usize> Regression<N> {
    /// Adds the observations of a group. The group has an intercept of its own.
    pub(crate) fn add_group(&mut self, observations: Vec<([f64; N], f64)>) {
        self.groups.push(observations);
    }

    /// Estimates the coefficients.
    pub(crate) fn fit(&self) -> [Estimate; N] {
        let centred: Vec<([f64; N], f64)> = self.groups.iter().flat_map(|group| centre(group)).collect();
        let mut products = [[0.0; N]; N];
        let mut with_response = [0.0; N];
        for (regressors, response) in &centred {
            for row in 0..N {
                with_response[row] += regressors[row] * response;
                for column in 0..N {
                    products[row][column] += regressors[row] * regressors[column];
                }
            }
        }
        let inverse = invert(products);
        let values: [f64; N] = std::array::from_fn(|row| dot(&inverse[row], &with_response));
        let residuals: f64 = centred.iter().map(|(regressors, response)| (response - dot(regressors, &values)).powi(2)).sum();
        let variance = residuals / (centred.len() - self.groups.len() - N) as f64;
        std::array::from_fn(|at| Estimate { value: values[at], margin: NORMAL_95 * (variance * inverse[at][at]).sqrt() })
    }
}

fn dot<const N: usize>(one: &[f64; N], other: &[f64; N]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Subtracts the means of a group.
fn centre<const N: usize>(group: &[([f64; N], f64)]) -> Vec<([f64; N], f64)> {
    let count = group.len() as f64;
    let means: [f64; N] = std::array::from_fn(|at| group.iter().map(|(regressors, _)| regressors[at]).sum::<f64>() / count);
    let mean = group.iter().map(|(_, response)| response).sum::<f64>() / count;
    group.iter().map(|(regressors, response)| (std::array::from_fn(|at| regressors[at] - means[at]), response - mean)).collect()
}

/// Inverts a positive definite matrix by Gauss-Jordan elimination.
fn invert<const N: usize>(mut matrix: [[f64; N]; N]) -> [[f64; N]; N] {
    let mut inverse: [[f64; N]; N] = std::array::from_fn(|row| std::array::from_fn(|column| f64::from(u8::from(row == column))));
    for pivot in 0..N {
        let scale = matrix[pivot][pivot];
        for column in 0..N {
            matrix[pivot][column] /= scale;
            inverse[pivot][column] /= scale;
        }
        for row in (0..N).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..N {
                matrix[row][column] -= factor * matrix[pivot][column];
                inverse[row][column] -= factor * inverse[pivot][column];
            }
        }
    }
    inverse
}

#[test]
fn coefficients_of_a_known_line_are_found() {
    let mut regression = Regression::default();
    for intercept in [3.0, -5.0] {
        let point = |x: f64, z: f64, noise: f64| ([x, z], intercept + 2.0 * x - 0.5 * z + noise);
        regression.add_group(vec![point(0.0, 1.0, 0.1), point(1.0, 0.0, -0.1), point(2.0, 3.0, 0.1), point(4.0, 2.0, -0.1)]);
    }
    let [x, z] = regression.fit();
    assert!((x.value - 2.0).abs() < 0.1 && (z.value + 0.5).abs() < 0.1 && x.margin < 0.2, "{x:?} {z:?}");
}
