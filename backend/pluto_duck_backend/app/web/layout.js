// A graph in layers from left to right: each node right of all it reads, few crossings, edges round what lies between.
const SWEEPS = 6;

// `nodes`: [{node, inputs: [node]}] without cycles. Gives {places: Map(node → {layer, row}), edges: [{from, to, via}], layers, rows};
// `via` are the {layer, row} that an edge passes through between layers that are not neighbours.
export function layout(nodes) {
  const depth = depths(nodes);
  const chains = nodes.flatMap((each) => each.inputs.filter((input) => depth.has(input)).map((input) => chain(input, each.node, depth)));
  const layers = [];
  const put = (id, layer) => { (layers[layer] ??= []).push(id); };
  nodes.forEach((each) => put(each.node, depth.get(each.node)));
  chains.forEach(({ via }) => via.forEach(({ id, layer }) => put(id, layer)));
  const links = chains.flatMap(({ from, to, via }) => pairs([from, ...via.map((each) => each.id), to]));
  order(layers, links);
  const places = new Map();
  const rows = Math.max(0, ...layers.map((layer) => layer.length));
  layers.forEach((layer, n) => layer.forEach((id, row) => places.set(id, { layer: n, row: row + (rows - layer.length) / 2 })));
  return { places, layers: layers.length, rows, edges: chains.map(({ from, to, via }) => ({ from, to, via: via.map((each) => places.get(each.id)) })) };
}

// The longest way from anything that reads nothing.
function depths(nodes) {
  const known = new Map(nodes.map((each) => [each.node, each]));
  const depth = new Map();
  const deep = (id) => {
    if (!depth.has(id)) depth.set(id, Math.max(-1, ...known.get(id).inputs.filter((input) => known.has(input)).map(deep)) + 1);
    return depth.get(id);
  };
  known.forEach((_, id) => deep(id));
  return depth;
}

function chain(from, to, depth) {
  const via = [];
  for (let layer = depth.get(from) + 1; layer < depth.get(to); layer += 1) via.push({ id: `${from} ${to} ${layer}`, layer });
  return { from, to, via };
}

const pairs = (chain) => chain.slice(1).map((each, n) => [chain[n], each]);

// Each layer by the mean place of its neighbours, forth and back until it settles.
function order(layers, links) {
  const before = grouped(links.map(([from, to]) => [to, from]));
  const after = grouped(links);
  layers.forEach((layer) => layer.sort());
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForth = sweep % 2 === 0;
    const beside = isForth ? before : after;
    for (let n = 1; n < layers.length; n += 1) {
      const at = isForth ? n : layers.length - 1 - n;
      sortByMean(layers[at], layers[at + (isForth ? -1 : 1)], beside);
    }
  }
}

function sortByMean(layer, fixed, beside) {
  const place = new Map(fixed.map((id, row) => [id, (row + 0.5) / fixed.length]));
  const mean = new Map(layer.map((id, row) => {
    const found = (beside.get(id) ?? []).map((each) => place.get(each));
    return [id, found.length ? found.reduce((a, b) => a + b) / found.length : (row + 0.5) / layer.length];
  }));
  layer.sort((a, b) => mean.get(a) - mean.get(b));
}

function grouped(links) {
  const found = new Map();
  for (const [key, value] of links) found.set(key, [...(found.get(key) ?? []), value]);
  return found;
}
