// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
(async () => {
const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent), shaders = JSON.parse($('shaders').textContent);

// ---- The packed numbers.

const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
async function inflate(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Undoes byte planes, zigzag and the differences; row k holds one coordinate at all frames.
function unpack(bytes, rows, frames, order) {
  const n = rows * frames, values = new Uint16Array(n);
  for (let i = 0; i < n; ++i) {
    const z = bytes[i] | bytes[n + i] << 8;
    values[i] = z >> 1 ^ -(z & 1);
  }
  for (let start = 0; start < n; start += frames)
    for (let d = Math.min(order, frames - 1); d > 0; --d)
      for (let f = start + d; f < start + frames; ++f) values[f] += values[f - 1];
  return values;
}

// Lists of so many floats: of each all low bytes, then the next, …
function floatsOf(bytes, length) {
  const floats = new Float32Array(bytes.length / 4), parts = new Uint8Array(floats.buffer);
  for (let i = 0; i < floats.length; ++i)
    for (let b = 0; b < 4; ++b) parts[4 * i + b] = bytes[4 * i - 3 * (i % length) + b * length];
  return floats;
}
// All curves, each of so many numbers: those of errors are floats, others levels.
async function unpackedCurves({quantities, levels, order, low, step, errors}, length) {
  const floats = floatsOf(await inflate(errors), length), numbers = unpack(await inflate(levels), 3 * low.length, length / 3, order);
  const all = data.lanes.length * quantities.length, values = new Float64Array(all * length);
  for (let curve = 0, error = 0, other = 0; curve < all; ++curve)
    if (quantities[curve % quantities.length].error) {
      values.set(floats.subarray(error, error += length), curve * length);
    } else {
      for (let k = 0; k < length; ++k) {
        const level = numbers[other * length + k];
        values[curve * length + k] = level ? low[other] + (level - 1) * step[other] : NaN;
      }
      ++other;
    }
  return values;
}

// Points of curves that rest have their opacity in common.
for (const line of data.fixed.lines) line.points = line.points.flatMap((x, i) => i % 3 === 2 ? [x, line.opacity] : [x]);
const expanded = runs => runs.flatMap(([count, from, spacing]) => Array.from({length: count}, (_, i) => from + i * spacing));
const times = expanded(data.times);
const frames = times.length, first = times[0], last = times[frames - 1];
const segments = [...data.segments, frames];
const coded = unpack(await inflate(data.points), 3 * data.count, frames, data.order);
const shadeBytes = data.shade ? await inflate(data.shade.values) : [];
for (let i = 0; i < shadeBytes.length; ++i) if (i % frames) shadeBytes[i] += shadeBytes[i - 1];
const curveTimes = expanded(data.curves.times), intervals = curveTimes.length;
const curves = await unpackedCurves(data.curves, 3 * intervals), distances = floatsOf(await inflate(data.curves.distances), intervals);

// The last of some times that is not later than t, or the first.
function lastBefore(list, t) {
  let low = 0, high = list.length - 1;
  while (low < high) {
    const mid = low + high + 1 >> 1;
    if (list[mid] <= t) low = mid; else high = mid - 1;
  }
  return low;
}
const frameAt = t => lastBefore(times, t);
// The frames nearest to a time and the weights of the cubic through them.
function weights(t) {
  const f = frameAt(t), s = segments.findIndex(x => x > f), from = segments[s - 1], to = segments[s];
  if (t <= times[f] || f + 1 >= to) return {base: f, w: [1]};
  const n = Math.min(4, to - from), base = Math.max(from, Math.min(f - 1, to - n)), w = [];
  for (let i = 0; i < n; ++i) {
    w[i] = 1;
    for (let k = 0; k < n; ++k)
      if (k !== i) w[i] *= (t - times[base + k]) / (times[base + i] - times[base + k]);
  }
  return {base, w};
}
const step = 2 * data.box[3] / 65535, corner = data.box.slice(0, 3).map(c => c - data.box[3]);
function point(p, at, out = []) {
  for (let a = 0; a < 3; ++a) {
    const row = (3 * p + a) * frames + at.base;
    let u = 0;
    for (let i = 0; i < at.w.length; ++i) u += at.w[i] * coded[row + i];
    out[a] = corner[a] + step * u;
  }
  return out;
}

// ---- Vectors and colours.

const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = a => Math.hypot(a[0], a[1], a[2]);
const unit = a => scaled(a, 1 / Math.max(length(a), 1e-12));
const mixed = (a, b, s) => a.map((x, i) => x + s * (b[i] - x));
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const rgb = hex => [hex >> 16 & 255, hex >> 8 & 255, hex & 255].map(x => x / 255);
const css = hex => '#' + hex.toString(16).padStart(6, '0');
const linear = c => c.map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

const light = matchMedia('(prefers-color-scheme: light)'), calm = matchMedia('(prefers-reduced-motion: reduce)');
const lightPage = () => data.light || light.matches;
// Top, bottom, grid, text.
const theme = () => data.themes[side()].map(rgb);
// Colours are listed for dark and light.
const side = () => lightPage() ? 1 : 0;
const colorOf = index => rgb(data.colors[index][side()]);
const laneColor = lane => css(lane.color[side()]);

// ---- The frame that the scene is seen in: it turns at a constant rate about its axis.

const turning = data.frame, clock = turning ? expanded(turning.clock) : [];
// The time of the run, which may have gone backwards, at some weights().
const clockAt = ({base, w}) => w.reduce((sum, x, i) => sum + x * clock[base + i], 0);
function turned(v, time) {
  if (!turning) return v;
  const e = turning.axis, c = Math.cos(turning.rate * time), s = Math.sin(turning.rate * time);
  return add(add(scaled(v, c), cross(e, v), s), e, dot(e, v) * (1 - c));
}
const toFrame = v => turned(v, -clockAt(weights(state.t))), fromFrame = v => turned(v, clockAt(weights(state.t)));

// ---- The camera, in the axes of the frame: -e3 is up.

const fieldOfView = 0.5, margin = 1.03;
const camera = {target: [0, 0, 0], azimuth: 0, elevation: 0.28, distance: 5};
const backward = () => {
  const c = Math.cos(camera.elevation);
  return [c * Math.sin(camera.azimuth), c * Math.cos(camera.azimuth), -Math.sin(camera.elevation)];
};
const right = () => [Math.cos(camera.azimuth), -Math.sin(camera.azimuth), 0];
const up = () => cross(backward(), right());
const eye = () => add(camera.target, backward(), camera.distance);
// Below so many pixels of a caption.
function frameCamera({width, height}, covered) {
  const f = data.framing, vertical = fieldOfView / 2, tall = Math.tan(vertical), broad = width / height * tall;
  const free = [1, 1 - 2 * Math.min(covered / height, 0.45)], above = Math.atan(free[1] * tall), low = (vertical - above) / 2;
  const away = margin * f.radius / Math.min(Math.sin((vertical + above) / 2), Math.cos(low) * Math.sin(Math.atan(broad)));
  Object.assign(camera, {azimuth: f.azimuth, elevation: f.elevation, distance: away * Math.cos(low)});
  camera.target = add(f.center, up(), away * Math.sin(low));
  if (!f.boxed) return;
  const plus = [-1e30, -1e30], minus = [-1e30, -1e30], r = right(), u = up(), b = backward();
  for (let k = 0; k < 2000; ++k) {
    const z = 1 - (2 * k + 1) / 2000, turn = 2.3999632 * k, across = Math.sqrt(1 - z * z);
    const ball = add(f.center, [across * Math.cos(turn), across * Math.sin(turn), z], f.radius);
    const p = [0, 1, 2].map(a => clamp(ball[a] - f.middle[a], -f.half[a], f.half[a]));
    [dot(p, r) / broad, dot(p, u) / tall].forEach((aside, a) => {
      plus[a] = Math.max(plus[a], dot(p, b) + aside / free[a]);
      minus[a] = Math.max(minus[a], dot(p, b) - aside);
    });
  }
  const [across, down] = free.map((s, a) => s * (plus[a] - minus[a]) / (1 + s));
  camera.target = add(add(f.middle, r, broad * across), u, tall * down);
  camera.distance = Math.min(camera.distance, margin * Math.max(...free.map((s, a) => (s * plus[a] + minus[a]) / (1 + s))));
}
function orbit(azimuth, elevation) {
  camera.azimuth += azimuth;
  camera.elevation = clamp(camera.elevation + elevation, -Math.PI / 2, Math.PI / 2);
}
function pan(dx, dy, height) {
  const perPixel = 2 * camera.distance * Math.tan(fieldOfView / 2) / height;
  camera.target = add(add(camera.target, up(), perPixel * dy), right(), -perPixel * dx);
}
function zoom(steps) {
  const r = data.framing.radius;
  camera.distance = clamp(camera.distance * 2 ** (-steps / 8), 0.05 * r, 60 * r);
}
function viewMatrix() {
  const [r, u, b, e] = [right(), up(), backward(), eye()].map(fromFrame);
  return [r[0], u[0], b[0], 0, r[1], u[1], b[1], 0, r[2], u[2], b[2], 0, -dot(r, e), -dot(u, e), -dot(b, e), 1];
}
function projectionMatrix(aspect) {
  const f = data.framing, reach = 4 * f.radius + length(add(camera.target, toFrame(f.center), -1));
  const near = Math.max(0.01 * camera.distance, camera.distance - reach), far = camera.distance + reach;
  const y = 1 / Math.tan(fieldOfView / 2);
  return [y / aspect, 0, 0, 0, 0, y, 0, 0, 0, 0, -(far + near) / (far - near), -1, 0, 0, -2 * far * near / (far - near), 0];
}

// ---- The shapes at a time, as the instances that the shaders read.

const coilTurns = 9, lead = 0.1;
const nothing = () => ({balls: [], rings: [], rods: [], cones: [], tubes: [], curves: [], lines: []});
function addTube(out, points, tints, radius) {
  const n = points.length, normals = [];
  const chords = points.slice(1).map((p, i) => unit(add(p, points[i], -1)));
  for (let i = 0; i < n; ++i)
    normals.push(i === 0 ? chords[0] : i === n - 1 ? chords[n - 2] : unit(add(chords[i - 1], chords[i])));
  for (let i = 0; i + 1 < n; ++i)
    out.tubes.push(...points[i], radius, ...points[i + 1], ...normals[i], ...normals[i + 1], ...tints[i], ...tints[i + 1], 0);
  out.curves.push(points);
}
function addCoil(out, shape, a, b, color) {
  const along = add(b, a, -1), len = length(along);
  if (!(len > 0)) return;
  const u = unit(cross(along, Math.abs(along[2]) < 0.999 * len ? [0, 0, 1] : [1, 0, 0])), v = scaled(cross(along, u), 1 / len);
  const turn = slow ? 10 : 18, count = coilTurns * turn, points = [a], radius = shape.coil;
  for (let k = 0; k <= count; ++k) {
    const s = k / count, phase = 2 * Math.PI * coilTurns * s, open = radius * Math.min(1, coilTurns * s, coilTurns * (1 - s));
    points.push(add(add(add(a, along, lead + (1 - 2 * lead) * s), u, open * Math.cos(phase)), v, open * Math.sin(phase)));
  }
  points.push(b);
  const tint = linear(color);
  addTube(out, points, points.map(() => tint), shape.radius);
}
// A smooth curve through the joints of a rod.
function addRod(out, shape, at, colors) {
  const p = shape.points.map(i => point(i, at)), n = p.length - 1;
  const along = i => add(p[i + 1], p[i], -1);
  const tangent = j => shape.ring && j % n === 0 ? scaled(add(along(n - 1), along(0)), 0.5) : j === 0 ? along(0) : j === n ? along(n - 1) : scaled(add(along(j - 1), along(j)), 0.5);
  const points = [], tints = [], pieces = slow ? 4 : 8;
  for (let i = 0; i < n; ++i) {
    const va = tangent(i), vb = tangent(i + 1);
    for (let k = i ? 1 : 0; k <= pieces; ++k) {
      const s = k / pieces, s2 = s * s, s3 = s2 * s;
      points.push(add(add(add(p[i], along(i), 3 * s2 - 2 * s3), va, s3 - 2 * s2 + s), vb, s3 - s2));
      tints.push(linear(mixed(colors[i], colors[i + 1], s)));
    }
  }
  addTube(out, points, tints, shape.radius);
}
function addMagnet(out, shape, a, b, colors) {
  const middle = scaled(add(a, b), 0.5), neck = add(b, add(b, a, -1), -shape.neck);
  const r = shape.radius, bead = shape.bead;
  out.rods.push(...a, r, ...middle, r, ...linear(colors[0]), 0, bead, 0);
  out.rods.push(...middle, r, ...neck, r, ...linear(colors[1]), bead, 0, 0);
  out.cones.push(...neck, shape.head, ...b, ...linear(colors[1]), 0);
  out.balls.push(...middle, bead, ...colors[2], 0);
}

function addLane(out, lane, at, t) {
  const shade = i => rgb(data.shade.map[side()][shadeBytes[(lane.shade + i) * frames + frameAt(t)]]);
  const paint = c => c < 0 ? shade(-1 - c) : colorOf(c);
  const a = [], b = [];
  for (const s of lane.shapes) {
    if (s.kind === 'ball') {
      out.balls.push(...point(s.point, at, a), s.radius, ...paint(s.color), 0);
    } else if (s.kind === 'rod') {
      out.rods.push(...point(s.from, at, a), s.radius, ...point(s.to, at, b), s.radius, ...linear(paint(s.color)), ...s.cut, 0);
    } else if (s.kind === 'coil') {
      addCoil(out, s, point(s.from, at), point(s.to, at), paint(s.color));
    } else if (s.kind === 'tube') {
      addRod(out, s, at, s.colors.map(paint));
    } else {
      const [south, ...rest] = s.colors.map(paint);
      addMagnet(out, s, point(s.from, at), point(s.to, at), [scaled(south, s.south), ...rest]);
    }
  }
}
// Cuts a curve into strokes and gaps, whose ends have opacity -1; the first stroke begins at its last point.
const strokes = {solid: [], dashed: [3, 2], dotted: [1, 1.5], dash_dot: [4, 1.5, 1, 1.5], long_dash: [6, 2]};
function cut(points, dash) {
  const pattern = strokes[dash].map(x => 0.012 * data.framing.radius * x), last = points.length / 4 - 1;
  if (!pattern.length || last < 1) return points;
  const knot = i => points.slice(4 * i, 4 * i + 4), kept = [knot(last)];
  let part = 0, left = pattern[0], cuts = 0;
  for (let i = last; i > 0; --i) {
    const from = knot(i), to = knot(i - 1), all = length(add(to, from, -1));
    let gone = 0;
    while (all - gone > left && cuts++ < 20000) {
      gone += left;
      const here = mixed(from, to, gone / all), hole = [...here.slice(0, 3), -1];
      kept.push(...part % 2 ? [hole, here] : [here, hole]);
      part = (part + 1) % pattern.length;
      left = pattern[part];
    }
    left -= all - gone;
    if (part % 2 === 0) kept.push(to);
  }
  return kept.reverse().flat();
}
function addTrails(out, trails, at, t, color, dash) {
  if (trailSpan() > 0)
    for (const trail of trails) out.lines.push({points: cut(trailPoints(trail.point, at, t), dash), width: 2,
      color: color || colorOf(trail.color), far: data.sphere ? 0.6 : 1});
}
// Rings for balls and lines for long shapes, where a lane differs from another one that is drawn too.
function addOutline(out, lane, beside, at, t, color, width, dash) {
  const own = nothing(), other = nothing(), rings = new Map();
  addLane(own, lane, at, t);
  addLane(other, beside, at, t);
  const near = (p, q, within) => length(add(p, q, -1)) < within, place = (list, i) => list.slice(i, i + 3);
  const same = (kind, within, ...starts) =>
    starts.every(i => i < other[kind].length && near(place(own[kind], i), place(other[kind], i), within));
  const line = points => out.lines.push({points: cut(points.flatMap(p => [...p, 1]), dash), width, color, far: 1});
  for (let i = 0; i < own.balls.length; i += 8) {
    const center = place(own.balls, i), radius = 1.12 * own.balls[i + 3];
    rings.set(center.join(), radius);
    if (!same('balls', data.near * own.balls[i + 3], i)) out.rings.push(...center, -radius, ...color, width);
  }
  const end = (a, b) => {
    const along = add(b, a, -1), radius = rings.get(a.join());
    return radius < length(along) ? add(a, along, radius / length(along)) : a;
  };
  for (let i = 0; i < own.rods.length; i += 14) {
    const a = place(own.rods, i), b = place(own.rods, i + 4);
    if (!same('rods', data.agreement, i, i + 4)) line([end(a, b), end(b, a)]);
  }
  for (let i = 0; i < own.cones.length; i += 11) {
    if (same('cones', data.agreement, i, i + 4)) continue;
    const base = place(own.cones, i), tip = place(own.cones, i + 4), along = unit(add(tip, base, -1));
    const u = scaled(unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), own.cones[i + 3]);
    line([base, tip]);
    for (const aside of [u, cross(along, u)]) line([add(base, aside), tip, add(base, aside, -1)]);
  }
  own.curves.forEach((points, k) => {
    const others = other.curves[k] || [];
    if (points.length !== others.length || !points.every((p, i) => near(p, others[i], data.agreement))) line(points);
  });
}
function trailPoints(p, now, t) {
  const span = trailSpan(), points = [];
  const put = (q, when) => points.push(...q, 0.95 * clamp(1 - (t - when) / span, 0, 1) ** 1.3);
  const from = Math.max(t - span, first, times[segments.findLast(s => s <= frameAt(t))]), longest = 0.03 * data.extent;
  const list = [from];
  const after = frameAt(from) + 1, each = Math.max(1, Math.ceil((frameAt(t) - after) / 500));
  for (let f = after; f < frames && times[f] < t; f += each) list.push(times[f]);
  list.push(t);
  // Where a point has been, in the frame.
  const place = at => turned(point(p, at), clockAt(now) - clockAt(at));
  let q = place(weights(list[0]));
  for (let i = 0; i + 1 < list.length; ++i) {
    const next = place(i + 2 === list.length ? now : weights(list[i + 1]));
    const pieces = Math.ceil(clamp(length(add(next, q, -1)) / longest, 1, 16)), before = list[i], later = list[i + 1];
    put(q, before);
    for (let k = 1; k < pieces; ++k) {
      const when = before + (later - before) * k / pieces;
      put(place(weights(when)), when);
    }
    q = next;
  }
  put(q, t);
  return points;
}
function greatCircle(a, b) {
  const from = unit(a), to = unit(b), angle = Math.atan2(length(cross(from, to)), dot(from, to));
  const side = add(to, from, -dot(to, from)), any = Math.abs(from[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const across = unit(length(side) > 1e-9 ? side : cross(from, any)), pieces = Math.max(Math.ceil(angle / data.gap.chord), 1);
  return Array.from({length: pieces + 1}, (_, k) => {
    const s = k / pieces, radius = (1 - s) * length(a) + s * length(b);
    return scaled(add(scaled(from, Math.cos(s * angle)), across, Math.sin(s * angle)), radius);
  });
}
// Joins each body with where the reference has it, if that is far away.
function addGaps(out, lane, reference, at, color) {
  const ends = lane.gaps.map(([p], i) => [point(reference.gaps[i][0], at), point(p, at)]);
  const gaps = ends.map(([a, b]) => length(add(b, a, -1))), largest = gaps.indexOf(Math.max(...gaps));
  ends.forEach(([a, b], i) => {
    if (gaps.length > data.gap.few && i !== largest || !(gaps[i] > lane.gaps[i][1])) return;
    const points = (data.sphere ? greatCircle(a, b) : [a, b]).flatMap(p => [...p, 1]);
    out.lines.push({points: cut(points, 'dashed'), width: 2, color, far: 1});
  });
}
// The icosahedron with its faces divided into four so often, its edges and the edges of each face.
const meshes = [];
function mesh(fine) {
  if (meshes[fine]) return meshes[fine];
  let {places, faces} = data.icosahedron;
  if (fine) {
    const old = mesh(fine - 1), n = old.places.length;
    places = [...old.places, ...old.edges.map(([a, b]) => unit(add(old.places[a], old.places[b])))];
    faces = old.faces.flatMap(([a, b, c], i) => {
      const [x, y, z] = old.sides[i].map(e => n + e);
      return [[a, x, z], [b, y, x], [c, z, y], [x, y, z]];
    });
  }
  const ids = {}, edges = [], sides = faces.map(face => face.map((a, k) => {
    const b = face[(k + 1) % 3], edge = a < b ? [a, b] : [b, a];
    return ids[edge] ??= edges.push(edge) - 1;
  }));
  return meshes[fine] = {places, faces, edges, sides};
}
// The lines of equal stream function of a fluid that carries bodies: [number of the level, points].
function flow(f, bodies) {
  const {places, faces, edges, sides} = mesh(f.mesh - slow);
  // In distances of the lines.
  const psi = places.map(x => clamp(bodies.reduce((sum, q, j) => sum - f.shares[j] * Math.log(Math.max(1 - dot(x, q), f.least)),
    f.mean + f.turn * x[2]), -f.top, f.top));
  // Of each level the edges that it crosses, each with the two that come next.
  const levels = {}, lines = [];
  faces.forEach((face, i) => {
    const at = face.map(v => psi[v]);
    for (let k = Math.ceil(Math.min(...at)); k <= Math.max(...at); ++k) {
      const links = levels[k] ??= new Map(), ends = sides[i].filter(e => psi[edges[e][0]] < k !== psi[edges[e][1]] < k);
      ends.forEach((e, side) => links.set(e, [...links.get(e) || [], ends[1 - side]]));
    }
  });
  for (const [k, links] of Object.entries(levels))
    while (links.size) {
      const points = [];
      for (let [e] = links.keys(); e !== undefined;) {
        const [a, b] = edges[e], beside = links.get(e);
        points.push(unit(mixed(places[a], places[b], (k - psi[a]) / (psi[b] - psi[a]))));
        links.delete(e);
        e = beside.find(next => links.has(next));
      }
      lines.push([k, [...points, points[0]].flatMap(p => [...p, f.opacity])]);
    }
  return lines;
}
// Those that were drawn last are kept.
function addFlow(out, lane, at, t) {
  const f = data.fluid;
  if (lane.drawn !== t) lane.flow = flow(f, lane.carried.map(p => point(p, at)));
  lane.drawn = t;
  for (const [k, points] of lane.flow) out.lines.push({...f, points, color: colorOf(f.colors[Math.sign(k) + 1])});
}
// The lane of a cell in full, with an outline of the first one; without a lane, the first in full and outlines of the others.
function collect(own, t) {
  const out = nothing(), at = weights(t), begun = shown(), [lead] = begun, full = own || lead;
  for (const s of data.fixed.balls) out.balls.push(...s.at, s.radius, ...colorOf(s.color), 0);
  for (const s of data.fixed.rods) out.rods.push(...s.from, s.radius, ...s.to, s.radius, ...linear(colorOf(s.color)), ...s.cut, 0);
  for (const s of data.fixed.lines) out.lines.push({...s, color: colorOf(s.color)});
  if (!begun.includes(full)) return out;
  for (const lane of own ? [] : begun.slice(1)) {
    const color = rgb(lane.color[side()]);
    addOutline(out, lane, full, at, t, color, 2, lane.dash);
    addTrails(out, lane.trails.filter(trail => trail.beside), at, t, color, lane.dash);
  }
  addLane(out, full, at, t);
  if (data.fluid) addFlow(out, full, at, t);
  addTrails(out, full.trails, at, t, null, 'solid');
  if (full === lead) return out;
  addOutline(out, lead, own, at, t, mixed(theme()[1], theme()[3], 0.6), 1.5, 'solid');
  addGaps(out, full, lead, at, rgb(full.color[side()]));
  return out;
}

// ---- WebGL.

const canvas = $('scene'), over = $('over'), gl = canvas.getContext('webgl2', {alpha: false, antialias: false});
if (!gl) document.body.classList.add('flat');
const programs = {}, uniformPlaces = {};
let slow = false, buffer, block;
function compile(kind, name) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, '#version 300 es\nprecision highp float;\nprecision highp int;\n' + shaders['common.glsl'] + shaders[name]);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(name + ': ' + gl.getShaderInfoLog(shader));
  return shader;
}
function prepare() {
  for (const file in shaders) {
    const [name, end] = file.split('.');
    if (end !== 'vert') continue;
    const program = programs[name] = gl.createProgram();
    gl.attachShader(program, compile(gl.VERTEX_SHADER, name + '.vert'));
    gl.attachShader(program, compile(gl.FRAGMENT_SHADER, name + '.frag'));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(name + ': ' + gl.getProgramInfoLog(program));
    const frame = gl.getUniformBlockIndex(program, 'Frame');
    if (frame !== gl.INVALID_INDEX) gl.uniformBlockBinding(program, frame, 0);
    uniformPlaces[name] = {};
  }
  buffer = gl.createBuffer();
  block = gl.createBuffer();
}
function use(name, uniforms = {}) {
  gl.useProgram(programs[name]);
  for (const [key, value] of Object.entries(uniforms)) {
    const at = uniformPlaces[name][key] ??= gl.getUniformLocation(programs[name], key);
    if (typeof value === 'number') gl.uniform1f(at, value); else gl.uniform4fv(at, value);
  }
}
// `sizes`: components of the attributes, in order.
function inputs(sizes, stride, offset, divisor) {
  sizes.forEach((size, i) => {
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(i, divisor);
    offset += size;
  });
  for (let i = sizes.length; i < 7; ++i) gl.disableVertexAttribArray(i);
}
// Draws one quad an instance.
function instances(numbers, sizes, stride = sizes.reduce((a, b) => a + b), count = numbers.length / stride, start = 0) {
  inputs(sizes, stride, start, 1);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
}
function load(numbers) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STREAM_DRAW);
}
const layouts = [['balls', 'sphere', [4, 3, 1]], ['rods', 'cylinder', [4, 4, 3, 2, 1]], ['cones', 'cone', [4, 3, 3, 1]],
  ['tubes', 'tube', [4, 3, 3, 3, 3, 3, 1]]];
function covered(out, outline) {
  (outline ? gl.enable : gl.disable).call(gl, gl.BLEND);
  gl.depthMask(!outline);
  for (const [list, name, sizes] of layouts) {
    const numbers = list === 'balls' ? out.balls.concat(out.rings) : out[list];
    if (!numbers.length) continue;
    load(numbers);
    use(name, {outline});
    instances(numbers, sizes);
  }
}
// The ellipsoid, of which faces towards the light are brighter, so that the form is seen: corners with the colour of the face,
// on both backgrounds.
const solids = [];
function surface() {
  const e = data.fixed.ellipsoid;
  if (!e) return;
  const m = mesh(4), numbers = solids[side()] ??= m.faces.flatMap(face => {
    const [a, b, c] = face.map(v => m.places[v].map((x, i) => e.axes[i] * x)), across = unit(cross(add(b, a, -1), add(c, a, -1)));
    const tint = linear(scaled(colorOf(e.color), e.shade + dot(across, e.light)));
    return [...a, ...tint, ...b, ...tint, ...c, ...tint];
  });
  load(numbers);
  use('mesh');
  inputs([3, 3], 6, 0, 0);
  gl.disable(gl.BLEND);
  gl.drawArrays(gl.TRIANGLES, 0, numbers.length / 6);
}
function ground(out) {
  const g = data.ground;
  if (!g) return;
  const colors = theme(), above = fromFrame(eye())[2] < g.center[2], place = [...g.center, g.radius];
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  use('ground', {place, grid: [...colors[2], above ? 1 : 0.3], lines: [g.center[0], g.center[1], g.spacing, 0]});
  instances([0], [], 1, 1);
  if (!above) return;
  const shadows = [], balls = out.balls.length / 8, each = Math.ceil(balls / 48), wider = Math.sqrt(each);
  for (let i = 0; i < balls; i += each || 1) {
    const b = out.balls.slice(8 * i, 8 * i + 4);
    b[3] *= wider;
    shadows.push(...b, ...b);
  }
  if (each <= 1) for (let i = 0; i < out.rods.length; i += 14) shadows.push(...out.rods.slice(i, i + 8));
  if (!shadows.length) return;
  load(shadows);
  use('shadow', {place, strength: colors[1][0] + colors[1][1] + colors[1][2] < 1.5 ? 0.95 : 0.45});
  instances(shadows, [4, 4]);
}
function shell() {
  const s = data.shell;
  if (!s) return;
  const zones = s.zones ? s.zones.flatMap(z => [...linear(rgb(z[side()])), 1]) : new Array(68).fill(0);
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  for (const near of slow ? [1] : [0, 1]) {
    use('shell', {ball: [...s.center, s.radius], tint: [...linear(rgb(s.color[side()])), s.opacity], near, zoned: s.zones ? 1 : 0,
      'zones[0]': zones});
    instances([0], [], 1, 1);
  }
}
function polylines(lines, ratio) {
  const numbers = [], starts = [];
  for (const line of lines) {
    const p = line.points, n = p.length;
    if (n < 8) continue;
    starts.push([line, numbers.length, n / 4 - 1]);
    numbers.push(p[0], p[1], p[2], -1);
    for (const x of p) numbers.push(x);
    numbers.push(p[n - 4], p[n - 3], p[n - 2], -1);
  }
  if (!starts.length) return;
  load(numbers);
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  for (const [line, start, count] of starts) {
    use('polyline', {width: Math.max(line.width, 1.5) * ratio, ink: [...line.color, 1], far_side: line.far, back: 0});
    instances(numbers, [4, 4, 4, 4], 4, count, start);
  }
}
function axes(view, ratio, height) {
  const tints = [[0.83, 0.38, 0.36], [0.45, 0.66, 0.38], [0.36, 0.56, 0.85]], arrows = [], labels = [];
  const axis = i => view.slice(4 * i, 4 * i + 3), all = add(add(axis(0), axis(1)), axis(2)), flat = a => [a[0], a[1], 0];
  // The label of an arrow that points towards or away from the viewer goes where there is no other arrow.
  const put = (x, y, axis, color, text) => {
    arrows.push({z: axis[2], numbers: [x * ratio, y * ratio, 42 * ratio, ...axis, ...linear(color)]});
    const s = clamp((length(flat(axis)) - 0.35) / 0.3, 0, 1), sideways = s * s * (3 - 2 * s), reach = 17 - 6 * sideways;
    const away = unit(mixed(flat(add(axis, all, -1)), flat(axis), sideways));
    labels.push([text, [x + 42 * axis[0] + reach * away[0], height - y - 42 * axis[1] - reach * away[1], 0]]);
  };
  for (let i = 0; i < 3; ++i) put(66, 78, axis(i), tints[i], 'e' + '₁₂₃'[i]);
  // Labels that overlap are moved to opposite sides.
  for (let pass = 0; pass < 6; ++pass)
    for (const [a, b] of [[0, 1], [0, 2], [1, 2]].map(pair => pair.map(i => labels[i]))) {
      const between = add(b[1], a[1], -1);
      if (length(between) >= 23) continue;
      const along = unit(add(scaled(add(a[1], b[1]), 0.5), [66, height - 78, 0], -1)), turned = [-along[1], along[0], 0];
      const aside = dot(turned, between) < 0 ? scaled(turned, -1) : turned, across = dot(aside, between);
      const shift = (Math.sqrt(Math.max(23 ** 2 - dot(between, between) + across ** 2, 0)) - across) / 2;
      [a[1], b[1]] = [add(a[1], aside, -shift), add(b[1], aside, shift)];
    }
  if (data.gravity) put(136, 96, axis(2), theme()[3], 'g');
  const numbers = arrows.sort((a, b) => a.z - b.z).flatMap(a => a.numbers);
  load(numbers);
  gl.disable(gl.DEPTH_TEST);
  gl.enable(gl.BLEND);
  use('arrow');
  instances(numbers, [3, 3, 3]);
  return labels;
}
// Draws one cell; x, y, width, height in device pixels from the lower left.
function drawCell(out, x, y, width, height, ratio, corner) {
  const [top, bottom] = theme(), view = viewMatrix(), projection = projectionMatrix(width / height);
  const lx = 1 / projection[0], ly = 1 / projection[5], around = linear(bottom);
  gl.viewport(x, y, width, height);
  gl.scissor(x, y, width, height);
  gl.enable(gl.SCISSOR_TEST);
  gl.disable(gl.CULL_FACE);
  gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.depthMask(true);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.bindBuffer(gl.UNIFORM_BUFFER, block);
  gl.bufferData(gl.UNIFORM_BUFFER, new Float32Array([...view, ...projection, x, y, width, height, lx, ly, ratio, 2 * ly / height,
    -view[8], -view[9], -view[10], 0, ...around.map(c => 0.16 + 0.14 * c), 1 - 0.7 * around[1],
    ...around.map(c => 0.05 + 0.16 * c), 0]), gl.STREAM_DRAW);
  gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, block);
  gl.disable(gl.BLEND);
  gl.disable(gl.DEPTH_TEST);
  use('background', {top: [...top, 1], bottom: [...bottom, 1]});
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  gl.enable(gl.DEPTH_TEST);
  surface();
  covered(out, 0);
  ground(out);
  covered(out, 1);
  shell();
  polylines(out.lines, ratio);
  return corner ? axes(view, ratio, height / ratio) : [];
}

// ---- What is shown.

const state = {t: first, playing: false, split: false, hidden: new Set()};
if (!data.trail || data.lanes.every(lane => !lane.trails.length)) $('trail').parentElement.hidden = true;
const trailSpan = () => $('trail').checked ? data.trail : 0;
const visible = () => data.lanes.filter((lane, i) => !state.hidden.has(i));
// Those that have begun.
const shown = () => visible().filter(lane => lane.begin <= frameAt(state.t));
function cellsOf(width, height) {
  const lanes = shown().slice(0, 4), columns = lanes.length > 2 || width >= 1.2 * height ? 2 : 1;
  const rows = Math.ceil(lanes.length / columns), w = width / columns, h = height / rows;
  if (!state.split || lanes.length < 2 || w < 240 || h < 170) return [{x: 0, y: 0, width, height}];
  return lanes.map((lane, i) => ({lane, x: i % columns * w, y: Math.floor(i / columns) * h, width: w, height: h}));
}
function errorOf(lane) {
  const q = data.curves.quantities.findIndex(x => x.key === 'energy_error');
  return q < 0 ? NaN : curveAt(data.lanes.indexOf(lane), q, state.t);
}
const scientific = value => value.toExponential(1).replace(/([+-])(\d)$/, '$10$2');
const errorText = lane => Number.isNaN(errorOf(lane)) ? '' : `energy error ${scientific(errorOf(lane))} J`;
// From the first lane [rad].
const distanceOf = lane => shown()[0] !== data.lanes[0] ? NaN : distances[(data.lanes.indexOf(lane) - 1) * intervals + lastBefore(curveTimes, state.t + 1e-9 * span)];
function sample(pen, lane, x, y) {
  pen.strokeStyle = pen.fillStyle = laneColor(lane);
  pen.lineWidth = 2;
  pen.setLineDash(dashes[lane.dash] || []);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + 26, y);
  pen.stroke();
  pen.setLineDash([]);
}
// Sample, name, step, error, distance and its bar from 1e-16 rad to π; in a narrow cell sample, name and bar.
function caption(pen, {lane, x, y, width}, text, more) {
  const distance = distanceOf(lane), bar = distance >= 0 ? 88 : 0, error = errorOf(lane), middle = y + 14, end = x + width - 6 - bar;
  pen.globalAlpha = 0.7;
  pen.fillStyle = css(data.themes[side()][1]);
  pen.fillRect(x + 6, y + 4, width - 12, more ? 40 : 20);
  pen.globalAlpha = 1;
  sample(pen, lane, x + 6, middle);
  let at = x + 40;
  const write = (words, faint, row = 0) => {
    pen.globalAlpha = faint ? 0.7 : 1;
    pen.fillStyle = text;
    pen.fillText(words, at, middle + row, Math.max(end - at, 1));
    pen.globalAlpha = 1;
    at += pen.measureText(words).width + 8;
  };
  write(lane.name);
  if (width >= 380)
    for (const [value, words] of [[lane.step, `h ${lane.step} s`], [error, `|E−E₀−W| ${scientific(Math.abs(error))} J`],
      [distance, `${distance ? scientific(distance) : 0} rad`]])
      if (value >= 0 || value < 0) if (at + pen.measureText(words).width < end) write(words, true);
  if (bar) {
    const share = clamp((Math.log10(distance) + 16) / (16 + Math.log10(Math.PI)), 0, 1);
    pen.fillStyle = laneColor(lane);
    pen.fillRect(at, middle - 3, 80 * share, 6);
    pen.strokeStyle = text;
    pen.lineWidth = 1;
    pen.strokeRect(at + 0.5, middle - 2.5, 79, 5);
  }
  at = x + 6;
  if (more) write(more, true, 20);
}
// The lanes above the corner axes; in the quarter that three cells leave, at its corner.
function legend(pen, cells, width, height, text) {
  const rows = shown(), quarter = cells.length === 3;
  if (rows.length < 2 || cells.length > 1 && !quarter) return;
  const x = quarter ? width / 2 + 16 : 16, y = quarter ? height / 2 + 26 : height - 126 - 20 * rows.length;
  rows.forEach((lane, i) => {
    sample(pen, lane, x, y + 20 * i);
    pen.beginPath();
    pen.arc(x + 38.5, y + 20 * i, 4.5, 0, 7);
    if (i === 0) pen.fill(); else pen.stroke();
    pen.fillStyle = text;
    pen.fillText(lane.name, x + 51, y + 20 * i);
  });
}
let framed = false, drawTimes = [];
function drawScene() {
  const box = canvas.parentElement.getBoundingClientRect(), width = Math.max(box.width, 1), height = Math.max(box.height, 1);
  const ratio = (window.devicePixelRatio || 1) * (slow ? 0.5 : 1), screen = window.devicePixelRatio || 1;
  const w = Math.round(width * ratio), h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  if (over.width !== Math.round(width * screen) || over.height !== Math.round(height * screen))
    [over.width, over.height] = [Math.round(width * screen), Math.round(height * screen)];
  const cells = cellsOf(width, height), pen = over.getContext('2d');
  const more = cells.length > 1 && shown().length > 4 ? `4 of ${shown().length}; hide one to see another` : '';
  if (!framed) frameCamera(cells[0], cells.length < 2 ? 0 : more ? 44 : 24), framed = true;
  if (data.follow >= 0) camera.target = toFrame(point(data.follow, weights(state.t)));
  pen.setTransform(screen, 0, 0, screen, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const text = css(data.themes[side()][3]);
  const begun = performance.now();
  gl.disable(gl.SCISSOR_TEST);
  gl.clearColor(...theme()[1], 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  for (const cell of cells) {
    const left = Math.round(cell.x * ratio), low = Math.round((height - cell.y - cell.height) * ratio);
    const labels = drawCell(collect(cell.lane, state.t), left, low,
      Math.max(Math.round(cell.width * ratio), 1), Math.max(Math.round(cell.height * ratio), 1), ratio,
      cell.x === 0 && cell.y === cells.at(-1).y);
    pen.fillStyle = text;
    pen.font = 'italic 14px serif';
    for (const [label, [x, y]] of labels) pen.fillText(label, cell.x + x, cell.y + y);
    if (cells.length < 2) continue;
    pen.strokeStyle = pen.fillStyle = laneColor(cell.lane);
    pen.lineWidth = 2;
    pen.strokeRect(cell.x + 1, cell.y + 1, cell.width - 2, cell.height - 2);
    pen.font = '12px sans-serif';
    pen.textAlign = 'left';
    caption(pen, cell, text, cell === cells.at(-1) && more);
    pen.textAlign = 'center';
  }
  pen.font = '12px sans-serif';
  pen.textAlign = 'left';
  legend(pen, cells, width, height, text);
  pen.fillStyle = text;
  if (turning) pen.fillText(turning.text, 16, cells.length < 2 ? 20 : 44);
  gl.finish();
  if (state.playing) {
    drawTimes.push(performance.now() - begun);
    if (drawTimes.length === 8) {
      if (!slow && drawTimes.sort((a, b) => a - b)[4] > 50) slow = true;
      drawTimes = [];
    }
  }
}

// ---- Plots.

const span = Math.max(last - first, 1e-300);
// `kind` 0: the first value of interval k; 1: the least; 2: the largest.
function curve(lane, quantity, kind, k) {
  const i = lane * data.curves.quantities.length + quantity;
  return data.curves.origins[i] + curves[(3 * i + kind) * intervals + k];
}
const curveAt = (lane, quantity, t) => curve(lane, quantity, 0, lastBefore(curveTimes, t + 1e-9 * span));
const dashes = {solid: [], dashed: [6, 4], dotted: [1.5, 3], dash_dot: [6, 3, 1.5, 3], long_dash: [12, 4]};
function ticks(low, high) {
  const wanted = (high - low) / 4, decade = 10 ** Math.floor(Math.log10(wanted));
  const each = decade * (wanted / decade >= 5 ? 5 : wanted / decade >= 2 ? 2 : 1), list = [];
  for (let k = Math.ceil(low / each); k * each <= high; ++k) list.push(k * each);
  return list;
}
const minus = text => text.replace(/^-/, '−');
const raised = power => '10' + [...`${power}`].map(c => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] || '⁻').join('');
// As many digits as tell the ticks apart.
function labels(list) {
  const each = list.length > 1 ? list[1] - list[0] : Math.abs(list[0]) || 1, largest = Math.max(...list.map(Math.abs), each);
  const digits = Math.max(0, Math.ceil(-Math.log10(each) - 1e-9));
  return list.map(x => minus(largest < 1e5 && digits < 6 ? x.toFixed(digits) : x === 0 ? '0' :
    x.toExponential(clamp(Math.ceil(Math.log10(largest / each) - 1e-9), 0, 12)).replace(/e(.*)/, (_, power) => '·' + raised(+power))));
}
function plot(index) {
  const board = $('plot' + index), pictures = {};
  const area = {left: 66, right: 8, top: 20, bottom: 40};
  function picture(width, height) {
    const scale = window.devicePixelRatio || 1, image = document.createElement('canvas');
    image.width = Math.round(width * scale);
    image.height = Math.round(height * scale);
    const pen = image.getContext('2d'), q = +$('quantity' + index).value, about = data.curves.quantities[q];
    pen.scale(scale, scale);
    const kinds = [0, 1, 2], log = about.error, value = x => log ? Math.log10(Math.abs(x)) : x;
    let low = Infinity, high = -Infinity;
    data.lanes.forEach((lane, i) => {
      if (state.hidden.has(i)) return;
      for (let k = 0; k < intervals; ++k)
        for (const kind of kinds) {
          const x = value(curve(i, q, kind, k));
          if (Number.isFinite(x)) low = Math.min(low, x), high = Math.max(high, x);
        }
    });
    if (!(low <= high)) [low, high] = log ? [-16, 0] : [0, 1];
    if (log) [low, high] = [Math.floor(low), Math.ceil(high)];
    const least = 1e-12 * (Math.abs(high) || 1);
    if (high - low < least) [low, high] = [low - 1e10 * least, high + 1e10 * least];
    const w = width - area.left - area.right, h = height - area.top - area.bottom;
    const x = t => area.left + (t - first) / span * w, y = v => area.top + (high - v) / (high - low) * h;
    pen.font = '12px sans-serif';
    pen.fillStyle = pen.strokeStyle = getComputedStyle(document.body).color;
    pen.lineWidth = 1;
    pen.textBaseline = 'middle';
    pen.textAlign = 'right';
    // Where a value changes little, the ticks say by how much.
    const base = !log && high - low < 1e-4 * Math.abs(high) ? data.curves.origins[q] : 0;
    const levels = log ? ticks(low, high).filter(Number.isInteger) : ticks(low - base, high - base), names = labels(levels);
    levels.forEach((v, i) => {
      pen.globalAlpha = 0.15;
      pen.fillRect(area.left, y(v + base), w, 1);
      pen.globalAlpha = 1;
      pen.fillText(log ? raised(v) : names[i], area.left - 5, y(v + base), area.left - 6);
    });
    pen.textAlign = 'left';
    if (base) pen.fillText(`+ (${minus(`${+base.toPrecision(12)}`)} ${about.unit})`, area.left, area.top - 10);
    pen.textAlign = 'center';
    const instants = ticks(first, last), texts = labels(instants);
    instants.forEach((t, i) => {
      pen.globalAlpha = 0.15;
      pen.fillRect(x(t), area.top, 1, h);
      pen.globalAlpha = 1;
      pen.fillText(texts[i], Math.min(x(t), width - pen.measureText(texts[i]).width / 2), height - area.bottom + 12);
    });
    pen.fillText('time [s]', area.left + w / 2, height - 8);
    pen.strokeRect(area.left + 0.5, area.top + 0.5, w, h);
    pen.beginPath();
    pen.rect(area.left, area.top, w, h);
    pen.clip();
    pen.lineWidth = 1.5;
    data.lanes.forEach((lane, i) => {
      if (state.hidden.has(i)) return;
      pen.strokeStyle = laneColor(lane);
      pen.setLineDash(dashes[lane.dash] || []);
      pen.beginPath();
      let drawn = false;
      for (let k = 0; k < intervals; ++k) {
        const at = x(curveTimes[k]);
        for (const kind of kinds) {
          const v = value(curve(i, q, kind, k));
          if (Number.isNaN(v)) continue;
          const place = y(Math.max(v, low - 1));
          if (drawn) pen.lineTo(at, place); else pen.moveTo(at, place);
          drawn = true;
        }
      }
      pen.stroke();
    });
    return image;
  }
  const go = event => {
    if (event.type === 'pointermove' && !event.buttons) return;
    const box = board.getBoundingClientRect(), share = (event.clientX - box.left - area.left) / (box.width - area.left - area.right);
    seek(first + clamp(share, 0, 1) * span);
  };
  board.addEventListener('pointerdown', event => (board.setPointerCapture(event.pointerId), go(event)));
  board.addEventListener('pointermove', go);
  return () => {
    const box = board.getBoundingClientRect(), scale = window.devicePixelRatio || 1, width = box.width, height = box.height;
    if (width < 80 || height < 50) return;
    const key = [width, height, scale, lightPage(), $('quantity' + index).value, ...state.hidden].join();
    if (pictures.key !== key) Object.assign(pictures, {key, image: picture(width, height)});
    if (board.width !== pictures.image.width || board.height !== pictures.image.height)
      [board.width, board.height] = [pictures.image.width, pictures.image.height];
    const pen = board.getContext('2d');
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, board.width, board.height);
    pen.drawImage(pictures.image, 0, 0);
    pen.scale(scale, scale);
    pen.fillStyle = getComputedStyle(document.body).color;
    const now = area.left + (state.t - first) / span * (width - area.left - area.right);
    pen.fillRect(now - 0.75, area.top, 1.5, height - area.top - area.bottom);
  };
}
data.curves.quantities.forEach((q, i) => {
  for (const index of [0, 1]) $('quantity' + index).add(new Option(`${q.label} [${q.unit}]`, i, false, data.curves.shown[index] === i));
});
const plots = [plot(0), plot(1)];

// ---- Time and controls.

const timeText = t => `${t.toFixed(data.digits)} s`;
const describe = () => [`t = ${timeText(state.t)}`, ...visible().map(lane => `${lane.name}: ${errorText(lane)}`)].join('; ');
let waiting = false, before = 0, said = '';
function update() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(now => {
    waiting = false;
    if (state.playing) {
      state.t += Math.min((now - before) / 1000, 0.25) * +$('speed').value;
      if (state.t >= last) state.t = last, play(false);
    }
    before = now;
    if (gl && !gl.isContextLost()) drawScene();
    plots.forEach(draw => draw());
    $('time').value = state.t;
    $('time').setAttribute('aria-valuetext', timeText(state.t));
    $('clock').textContent = timeText(state.t);
    if (!state.playing) {
      const text = describe();
      canvas.setAttribute('aria-label', text);
      if (text !== said) $('said').textContent = said = text;
    } else if (calm.matches) {
      setTimeout(update, 250);
    } else {
      update();
    }
  });
}
function play(on) {
  if (on && state.t >= last) state.t = first;
  state.playing = on;
  before = performance.now();
  $('play').textContent = on ? 'Pause' : 'Play';
  update();
}
function seek(t) {
  state.t = clamp(t, first, last);
  update();
}
function move(count) {
  play(false);
  const f = frameAt(state.t + 1e-9 * span);
  seek(count < 0 && times[f] < state.t - 1e-9 * span ? times[Math.max(f + count + 1, 0)] : times[clamp(f + count, 0, frames - 1)]);
}
function split() {
  if (data.lanes.length < 2) return;
  state.split = !state.split;
  framed = false;
  $('split').setAttribute('aria-pressed', state.split);
  update();
}
$('time').min = first;
$('time').max = last;
$('time').step = 'any';
$('time').addEventListener('input', () => seek(+$('time').value));
$('play').addEventListener('click', () => play(!state.playing));
$('split').addEventListener('click', split);
$('split').hidden = data.lanes.length < 2;
$('trail').addEventListener('change', update);
$('reset').addEventListener('click', () => (framed = false, update()));
for (const index of [0, 1]) $('quantity' + index).addEventListener('change', update);
for (const [t, text] of data.events) {
  const mark = document.createElement('button');
  mark.className = 'mark';
  mark.style.left = `${100 * (t - first) / span}%`;
  mark.title = `${timeText(t)}: ${text}`;
  mark.setAttribute('aria-label', mark.title);
  mark.addEventListener('click', () => seek(t));
  $('marks').append(mark);
}
data.lanes.forEach((lane, i) => {
  const label = document.createElement('label'), box = document.createElement('input'), line = document.createElement('span');
  box.type = 'checkbox';
  box.checked = true;
  box.addEventListener('change', () => (box.checked ? state.hidden.delete(i) : state.hidden.add(i), update()));
  line.className = 'sample';
  label.append(box, line, lane.name);
  $('lanes').append(label);
});
function restyle() {
  document.querySelectorAll('.sample').forEach((sample, i) => sample.style.borderTop =
    `4px ${{solid: 'solid', dotted: 'dotted'}[data.lanes[i].dash] || 'dashed'} ${laneColor(data.lanes[i])}`);
  update();
}
light.addEventListener('change', restyle);
$('save').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytesOf($('scenario').textContent.trim())], {type: 'application/json'}));
  link.download = data.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
  const far = event.shiftKey ? 10 : 1, onScene = event.target === canvas;
  const acts = {Home: () => (play(false), seek(first)), End: () => (play(false), seek(last)), s: split, S: split,
    ArrowLeft: () => onScene ? orbit(0.1, 0) : move(-far), ArrowRight: () => onScene ? orbit(-0.1, 0) : move(far)};
  if (onScene)
    Object.assign(acts, {ArrowUp: () => orbit(0, -0.1), ArrowDown: () => orbit(0, 0.1), '+': () => zoom(1), '-': () => zoom(-1)});
  if (!['BUTTON', 'SUMMARY'].includes(event.target.tagName) && event.target.type !== 'checkbox') acts[' '] = () => play(!state.playing);
  if (!acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
  update();
});

// ---- Mouse and touch on the scene.

const pointers = new Map();
canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
});
for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, event => pointers.delete(event.pointerId));
canvas.addEventListener('pointermove', event => {
  const old = pointers.get(event.pointerId);
  if (!old) return;
  const now = [event.clientX, event.clientY], dx = now[0] - old[0], dy = now[1] - old[1], height = canvas.clientHeight;
  if (pointers.size > 1) {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const apart = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    zoom(8 * Math.log2(apart(now) / apart(old)));
    pan(dx / 2, dy / 2, height);
  } else if (event.shiftKey || event.buttons & 6) {
    pan(dx, dy, height);
  } else {
    orbit(-0.008 * dx, 0.008 * dy);
  }
  pointers.set(event.pointerId, now);
  update();
});
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  zoom(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) / 50, 4));
  update();
}, {passive: false});
canvas.addEventListener('contextmenu', event => event.preventDefault());
canvas.addEventListener('webglcontextlost', event => event.preventDefault());
canvas.addEventListener('webglcontextrestored', () => (prepare(), update()));
new ResizeObserver(update).observe(document.querySelector('main'));

if (gl) prepare();
restyle();
if (data.split) split();
// For tests: the place of a point at a time.
window.twosphere = {point: (p, t) => point(p, weights(t)), frames, times, state, seek};
})().catch(error => {
  document.body.classList.add('flat');
  document.getElementById('said').textContent = `This page cannot be shown: ${error.message}`;
});
