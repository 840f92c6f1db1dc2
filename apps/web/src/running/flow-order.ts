interface DependentBlock {
  task_block_trellis_code: string
  waits_for: readonly string[]
}

/** Upstream first; blocks of a cycle come last. */
export function upstreamFirst<T extends DependentBlock>(blocks: readonly T[]): T[] {
  const left = new Set(blocks.map((one) => one.task_block_trellis_code))
  const sorted: T[] = []
  for (;;) {
    const ready = blocks.filter(
      (one) => left.has(one.task_block_trellis_code) && !one.waits_for.some((code) => left.has(code)),
    )
    if (ready.length === 0) break
    for (const one of ready) left.delete(one.task_block_trellis_code)
    sorted.push(...ready)
  }
  return [...sorted, ...blocks.filter((one) => left.has(one.task_block_trellis_code))]
}
