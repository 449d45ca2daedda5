# Derive the figures of estimates.csv and covariance.csv again. Needs only R, no package; tested with
# R 4.2.
#
# Run `Rscript analyse.R` in the unpacked folder. It writes rederived_estimates.csv and
# rederived_covariance.csv and prints how far they are from the originals. The intervals of at_most
# and quantiles of a sliding window (isw) are left to analyse.py.
# The formulas are in the folder analysis/. Of n reports c support an option; p and q are the
# probabilities that a report supports the true option, and any other one.
#
# After source("analyse.R") you can also call
#   covariance_of("question", c(3, 17, 240))   any block of a covariance matrix
#   joint_share("question", 1, "other", 0)     the share that chose both options
#   reported("question", 1)                    which reports support option 1, for regressions
#   compare("question")                        groups side by side, differences, tests
#   cross("question", "other")                 a table of two questions, with a test
#   regress(question ~ group)                  a regression of the true answers; factors of the
#                                              groups are covariates, too, by their ids
#   scores_of("question")                      an unbiased number per report, as in scores.csv
# The beginnings of comparison.R, cross_table.R and models.R list their arguments. Raking, classes
# of numbers, marginal effects and tests of terms are in the command `candor` alone.

reports <- read.csv("reports.csv", colClasses = "character", check.names = FALSE,
                    na.strings = character())
codebook <- read.csv("codebook.csv", colClasses = "character", na.strings = character())
estimates <- read.csv("estimates.csv", colClasses = "character", na.strings = character())
covariances <- read.csv("covariance.csv", colClasses = "character", na.strings = character())

# The factors of the groups, which are not randomized, with their levels in order.
factor_levels <- with(codebook[codebook$kind == "factor", ], split(label, question))
codebook <- codebook[codebook$kind != "factor", ]
# An apostrophe keeps spreadsheets from running a text as a formula; it is no part of the text.
signs <- "(^|[;\t\r\n])'(\\s*[=+@\uff1d\uff0b\uff0d\uff20-])"
codebook[] <- lapply(codebook, function(text) sub("^'([\t\r\n])", "\\1", gsub(signs, "\\1\\2", text)))
design <- codebook[!duplicated(codebook$question), ]
rownames(design) <- design$question
numbers <- c("threshold", "options", "size", "asked", "at_most", "top", "width", "silent",
             "lo", "hi", "step")
design[numbers] <- lapply(design[numbers], as.numeric)
z <- qnorm((1 + as.numeric(estimates$confidence[1])) / 2)

# The group of every report, empty if there is none.
own_group <- function() {
  if (length(factor_levels)) reports[["group"]] else rep("", nrow(reports))
}

cells_of <- function(id, group = "") {
  if (group == "") reports[[id]] else reports[[id]][own_group() == group]
}

for (part in c("counting", "shares", "covariance", "scales", "answered", "levels", "regression",
               "scores", "comparison", "cross_table", "association", "newton", "likelihoods",
               "models"))
  source(file.path("analysis", paste0(part, ".R")))

together <- function(tables) {
  columns <- unique(unlist(lapply(tables, names)))
  filled <- lapply(tables, function(table) {
    table[setdiff(columns, names(table))] <- NA
    table[columns]
  })
  do.call(rbind, filled)
}

analyse <- function() {
  rows <- list()
  triangles <- list()
  for (group in unique(estimates$group)) {
    for (id in design$question) {
      d <- design[id, ]
      cells <- cells_of(id, group)
      if (!any(cells != "null")) next
      heading <- data.frame(question = id, group = group)
      if (d$mechanism %in% c("rt", "isw")) {
        found <- level_rows(d, cells)
      } else {
        shares <- share_table(d, cells)
        found <- list(shares, if (!is.na(d$lo)) scale_rows(d, shares))
        if (any(covariances$question == id))
          triangles[[length(triangles) + 1]] <- cbind(heading, covariance_table(d, shares))
      }
      for (table in Filter(Negate(is.null), found))
        rows[[length(rows) + 1]] <- cbind(heading, table)
    }
  }
  list(estimates = together(rows), covariance = together(triangles))
}

check <- function(name, original, found, key) {
  if (is.null(found)) found <- original[0, ]
  write.csv(found, paste0("rederived_", name), row.names = FALSE, na = "")
  keys <- function(table) do.call(paste, c(lapply(table[key], function(column) {
    column <- as.character(column)
    ifelse(is.na(column), "", column)
  }), sep = "\r"))
  original <- original[match(keys(found), keys(original)), ]
  worst <- 0
  for (column in names(found)[vapply(found, is.numeric, TRUE)]) {
    gap <- abs(found[[column]] - as.numeric(original[[column]])) / pmax(1, abs(found[[column]]))
    worst <- max(worst, gap[is.finite(gap)])
  }
  cat(sprintf("%s: %d rows, the largest difference is %.1e\n", name, nrow(found), worst))
}

options(digits = 17)
derived <- analyse()
check("estimates.csv", estimates, derived$estimates, c("question", "group", "quantity", "option"))
check("covariance.csv", covariances, derived$covariance,
      c("question", "group", "option_1", "option_2"))
