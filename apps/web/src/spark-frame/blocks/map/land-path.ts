import land from 'world-atlas/land-110m.json'

export const MAP_WIDTH = 720
export const MAP_HEIGHT = 320
/** Crops Antarctica and the empty north. */
const NORTH = 84
const SOUTH = -60

export function toMapPoint(longitude: number, latitude: number): [x: number, y: number] {
  return [((longitude + 180) / 360) * MAP_WIDTH, ((NORTH - latitude) / (NORTH - SOUTH)) * MAP_HEIGHT]
}

interface Topology {
  arcs: number[][][]
  transform: { scale: number[]; translate: number[] }
  objects: { land: { geometries: { arcs: number[][][] }[] } }
}

/** Natural Earth outlines (public domain), delta-encoded. */
export function buildLandPath(): string {
  const { arcs, transform, objects } = land as unknown as Topology
  const [scaleX = 1, scaleY = 1] = transform.scale
  const [moveX = 0, moveY = 0] = transform.translate
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([stepX = 0, stepY = 0]) => {
      x += stepX
      y += stepY
      return toMapPoint(x * scaleX + moveX, y * scaleY + moveY)
    })
  })
  // TopoJSON: a negative index is the arc's complement, reversed.
  const readArc = (at: number) => (at < 0 ? (lines[~at] ?? []).toReversed() : (lines[at] ?? []))
  return objects.land.geometries
    .flatMap((polygons) => polygons.arcs.flat())
    .map((ring) => ring.flatMap(readArc))
    .filter((points) => points.length > 2)
    .map((points) =>
      points
        .map(([x, y], at) => {
          // Splits an outline that crosses the date line.
          const isNew = at === 0 || Math.abs(x - (points[at - 1]?.[0] ?? x)) > MAP_WIDTH / 2
          return `${isNew ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
        })
        .join(''),
    )
    .join('')
}
