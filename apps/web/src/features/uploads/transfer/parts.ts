export interface PartPlan {
  size_bytes: number
  part_bytes: number
  received_parts: readonly number[]
}

function partCount({ size_bytes, part_bytes }: PartPlan): number {
  return Math.ceil(size_bytes / part_bytes)
}

export function listPartsLeft(plan: PartPlan): number[] {
  const knownReceivedParts = new Set(plan.received_parts)
  return Array.from({ length: partCount(plan) }, (_, index) => index + 1).filter(
    (part) => !knownReceivedParts.has(part),
  )
}

export function partRange(part: number, { size_bytes, part_bytes }: PartPlan): { start: number; end: number } {
  const start = (part - 1) * part_bytes
  return { start, end: Math.min(size_bytes, start + part_bytes) }
}

export function partSize(part: number, plan: PartPlan): number {
  const { start, end } = partRange(part, plan)
  return end - start
}

export function receivedBytes(plan: PartPlan): number {
  return plan.received_parts.reduce((sum, part) => sum + partSize(part, plan), 0)
}

/** Only name and size are known. */
export function isSameFile(
  begun: { original_filename: string; size_bytes: number },
  file: { name: string; size: number },
): boolean {
  return begun.original_filename === file.name && begun.size_bytes === file.size
}
