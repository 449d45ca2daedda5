# Newton's method on the observed information, and the errors of what it finds.

# Columns of mean square one that do not depend on each other: x = z %*% solve(back).
solve_columns <- function(x) {
  parts <- qr(x)
  if (parts$rank < ncol(x))
    stop("the column ", colnames(x)[parts$pivot[parts$rank + 1]],
         " follows from the others: leave it out", call. = FALSE)
  size <- sqrt(nrow(x))
  list(z = qr.Q(parts) * size, back = solve(qr.R(parts)) * size)
}

# Climb until the step vanishes. Second derivatives are differences of the gradient.
maximise <- function(rows, start, weights) {
  at <- function(t) {
    found <- suppressWarnings(rows(t))
    list(value = sum(weights * found$value), gradient = colSums(weights * found$scores))
  }
  information <- function(t) {
    columns <- vapply(seq_along(t), function(place) {
      step <- replace(0 * t, place, 1e-5 * max(1, abs(t[place])))
      (at(t - step)$gradient - at(t + step)$gradient) / (2 * sum(step))
    }, t)
    matrix(columns + t(columns), length(t)) / 2
  }
  t <- start
  here <- at(t)
  for (ignored in 1:60) {
    parts <- eigen(information(t), symmetric = TRUE)
    size <- pmax(abs(parts$values), 1e-8 * max(abs(parts$values)))
    step <- drop(parts$vectors %*% (crossprod(parts$vectors, here$gradient) / size))
    step <- step * min(1, 5 / sqrt(sum(step^2)))
    done <- sqrt(sum(step^2)) <= 1e-11 * (1 + sqrt(sum(t^2)))
    halvings <- 0
    while (!done && halvings <= 40) {
      there <- at(t + step)
      if (is.finite(there$value) && there$value >= here$value - 1e-13 * abs(here$value)) break
      step <- step / 2
      halvings <- halvings + 1
    }
    # What is left to gain is hidden by rounding.
    if (halvings > 40) done <- sum(here$gradient^2 / max(size)) <= 1e-9
    if (done || halvings > 40) return(list(t = t, value = here$value, information = information(t),
                                           converged = done))
    t <- t + step
    here <- there
  }
  list(t = t, value = here$value, information = information(t), converged = FALSE)
}

# Fit a model; stop if there is no maximum inside, or none was reached.
fitted_model <- function(model, used, kind) {
  starts <- c(list(model$start), model$others)
  maxima <- lapply(starts, function(start) maximise(model$rows, start, used$weights))
  # The usual start, which comes first, wins a tie.
  rank <- vapply(maxima, function(one) if (one$converged) round(one$value * 1e6) else -Inf, 0)
  found <- maxima[[which.max(rank)]]
  shift <- if (is.null(model$shift)) 0 else model$shift
  b <- setNames(drop(model$back %*% found$t) + shift, model$names)
  size <- eigen(found$information, symmetric = TRUE, only.values = TRUE)$values
  if (isTRUE(model$smallest(b) < plogis(-15)) || min(size) <= 1e-8 * max(size))
    stop("at the boundary: some groups report fewer or more than noise alone would give, and the ",
         "share there is estimated as 0 or 1. compare() shows the estimates", call. = FALSE)
  if (!found$converged) stop("the search for the maximum did not end", call. = FALSE)
  bread <- solve(found$information)
  scores <- used$weights * model$rows(found$t)$scores
  covariance <- model$back %*% sandwich(bread, scores, kind, used) %*% t(model$back)
  list(b = b, covariance = covariance, mean = model$mean, shares = model$shares,
       outcomes = model$outcomes,
       table = list(coefficients = coefficient_table(b, covariance), errors = kind,
                    reports = nrow(used$x), log_likelihood = found$value))
}

# The inverse information, or the sandwich with the scores of rows or of clusters.
sandwich <- function(bread, scores, kind, used) {
  n <- nrow(scores)
  k <- ncol(scores)
  if (n <= k) stop("there are ", n, " rows for ", k, " parameters", call. = FALSE)
  if (kind == "nonrobust") return(bread)
  if (kind == "cluster") {
    scores <- rowsum(scores, used$cluster)
    count <- nrow(scores)
    if (count <= max(k, 1)) stop("there are ", count, " clusters for ", k, " parameters",
                                 call. = FALSE)
    return(bread %*% crossprod(scores) %*% bread * count / (count - 1) * (n - 1) / (n - k))
  }
  bread %*% crossprod(scores) %*% bread * (if (kind == "HC1") n / (n - k) else 1)
}
