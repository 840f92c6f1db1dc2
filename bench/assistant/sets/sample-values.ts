export const pick = (seed: string, below: number): string =>
  `(('x' || substr(md5(${seed}), 1, 8))::bit(32)::bigint % ${below})`

export const pickWord = (words: string, seed: string): string => {
  const list = words.split('|')
  return `(array['${list.join("', '")}'])[1 + ${pick(seed, list.length)}]`
}
