interface BucketOptions {
  readonly capacity: number
  readonly perSecond: number
  readonly now: () => number
}

export function createTokenBucket({ capacity, perSecond, now }: BucketOptions): () => boolean {
  let tokens = capacity
  let last = now()
  return () => {
    const at = now()
    tokens = Math.min(capacity, tokens + ((at - last) / 1000) * perSecond)
    last = at
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
