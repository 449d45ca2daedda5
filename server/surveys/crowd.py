"""The smallest crowds that published figures leave around one report.

Readers keep every figure and may combine them with any coefficients. The reports fall into parts:
those that came between the same two published totals, and in the same group between the same two
publications of this group. Every figure is a sum of parts.

The parts form a graph. Each published total has a node, and so has each publication of a group;
what no figure of a group counts belongs to the node `REST`, and so does what no total counts. A
part is an edge between its two nodes, weighted by its reports. A combination of figures gives each
part a coefficient, and those with a coefficient other than 0 are a cut of this graph. So the
smallest set of reports that a combination involves is the minimum cut.
"""

from collections.abc import Hashable, Iterable, Mapping

from server.surveys.disclosure import MINIMUM

Node = Hashable
REST: Node = "rest"
# The reports of each part: by the total that first counted them, and the group and the number of
# its publication that first counted them; None where nothing published counts them.
Parts = Mapping[tuple[int | None, tuple[str, int] | None], int]
Edges = Mapping[tuple[Node, Node], int]
_Neighbours = dict[Node, dict[Node, int]]


def hiding_crowd(parts: Parts) -> int | None:
    """Return how many reports hide each report from readers; None if the figures isolate too few.

    This is the smallest part, because the counts of all parts tell at least as much as the figures.
    The minimum cut would be too many: a combination may involve 80 reports, none fewer than 40, and
    give 20 of them three times the weight of the others (math 9).
    """
    edges = edges_of(parts)
    if not edges or isolates(edges, MINIMUM):
        return None
    return min(edges.values())


def edges_of(parts: Parts) -> Edges:
    """Return the graph of the parts that have reports and that some figure counts."""
    edges: dict[tuple[Node, Node], int] = {}
    for (total, block), reports in parts.items():
        ends = (REST if total is None else total, REST if block is None else block)
        if reports and ends[0] != ends[1]:
            edges[ends] = edges.get(ends, 0) + reports
    return edges


def isolates(edges: Edges, minimum: int) -> bool:
    """Tell whether a combination of published figures involves fewer reports than the minimum.

    No such combination separates two nodes with as many reports between them. So these become one
    node first, which leaves few nodes.
    """
    graph = _graph(edges)
    heavy = [(one, other) for (one, other), weight in edges.items() if weight >= minimum]
    while heavy:
        kept, gone = heavy.pop()
        if kept not in graph or gone not in graph:
            continue
        _merge(graph, kept, gone)
        heavy += [(kept, end) for end, weight in graph[kept].items() if weight >= minimum]
    cuts = (_minimum_cut(_between(graph, nodes)) for nodes in _components(graph) if len(nodes) > 1)
    return any(cut < minimum for cut in cuts)


def _graph(edges: Edges) -> _Neighbours:
    graph: _Neighbours = {}
    for (one, other), weight in edges.items():
        for start, end in ((one, other), (other, one)):
            ends = graph.setdefault(start, {})
            ends[end] = ends.get(end, 0) + weight
    return graph


def _components(graph: _Neighbours) -> Iterable[set[Node]]:
    left = set(graph)
    while left:
        found, new = set[Node](), {next(iter(left))}
        while new:
            found |= new
            new = {end for node in new for end in graph[node]} - found
        left -= found
        yield found


def _between(graph: _Neighbours, nodes: set[Node]) -> _Neighbours:
    return {node: dict(graph[node]) for node in nodes}


def _minimum_cut(graph: _Neighbours) -> int:
    """Return the minimum cut of a connected graph (Stoer and Wagner 1997); this uses it up."""
    cuts = []
    while len(graph) > 1:
        last, before, weight = _last_two(graph)
        cuts.append(weight)
        _merge(graph, before, last)
    return min(cuts)


def _last_two(graph: _Neighbours) -> tuple[Node, Node, int]:
    """Add the node with the most edges to those already added, until all are; return the last two.

    Their order is last, last but one; the weight is that of all edges of the last one.
    """
    first = next(iter(graph))
    weights = {node: graph[first].get(node, 0) for node in graph if node != first}
    order, weight = [first], 0
    while weights:
        node = max(weights, key=lambda each: weights[each])
        weight = weights.pop(node)
        order.append(node)
        for end, more in graph[node].items():
            if end in weights:
                weights[end] += more
    return order[-1], order[-2], weight


def _merge(graph: _Neighbours, kept: Node, gone: Node) -> None:
    """Make one node of two; the edges between them disappear."""
    for end, weight in graph.pop(gone).items():
        del graph[end][gone]
        if end != kept:
            graph[kept][end] = graph[kept].get(end, 0) + weight
            graph[end][kept] = graph[kept][end]
