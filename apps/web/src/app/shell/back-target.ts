export type BackTarget = { kind: 'step'; delta: number } | { kind: 'path'; path: string }

export type Trail = Readonly<Record<number, string>>

/**
 * The latest entry with another path, if the person came from within the product. A gap in the trail is a foreign page:
 * nothing before it counts.
 */
export function findBackTarget(trail: Trail, index: number, fallback = '/'): BackTarget {
  const here = trail[index]
  for (let at = index - 1; at >= 0; at -= 1) {
    const path = trail[at]
    if (path === undefined) break
    if (path !== here) return { kind: 'step', delta: at - index }
  }
  return { kind: 'path', path: fallback }
}

export function withEntry(trail: Trail, index: number, path: string): Trail {
  const kept = Object.entries(trail).filter(([at]) => trail[index] === path || Number(at) < index)
  return { ...Object.fromEntries(kept), [index]: path }
}
