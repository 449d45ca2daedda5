# Regressions on the TRUE answers, from the randomized reports.
#
# A report supports an option with probability p if it is the true answer, and q if not. So if a
# logistic regression holds for the truth, with linear predictor eta, then for the reports
#   P(supports) = q + (p - q) / (1 + exp(-eta)),
# which is a link like any other: glm fits it, and summary, predict and anova work as usual.
#   y <- reported("smokes", 1)
#   summary(glm(y ~ x, family = binomial(randomized(p, q)), control = to_the_last_digit))
# Without `control` glm stops early, and the last printed digits of the coefficients are not right.
# If the estimated share of some group is below 0 or above 1, there are no finite coefficients.

# If the reports are thresholds, the "option" is a level: is the answer at least that level?
reported <- function(id, option) supports(design[id, ], reports[[id]], option)

randomized <- function(p, q) structure(
  list(
    # Only used for starting values: near even odds, where the likelihood is steep.
    linkfun = function(mu) qlogis(pmin(pmax((mu - q) / (p - q), 0.4), 0.6)),
    linkinv = function(eta) q + (p - q) * plogis(eta),
    mu.eta = function(eta) pmax((p - q) * dlogis(eta), .Machine$double.eps),
    valideta = function(eta) TRUE,
    name = "randomized"),
  class = "link-glm")

to_the_last_digit <- glm.control(epsilon = 1e-12, maxit = 100)

# The share of people who chose one option in each of two questions. Randomizers draw independently,
# so the product of a report's two unbiased scores is unbiased for both together.
joint_share <- function(id_1, option_1, id_2, option_2, group = "") {
  score <- function(id, option) {
    ch <- channel(design[id, ])
    debias(supports(design[id, ], cells_of(id, group), option), ch)
  }
  both <- score(id_1, option_1) * score(id_2, option_2)
  both <- both[!is.na(both)]
  c(share = mean(both), standard_error = sd(both) / sqrt(length(both)), n = length(both))
}
