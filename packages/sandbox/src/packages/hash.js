const primes = []
for (let number = 2; primes.length < 64; number += 1)
  if (primes.every((prime) => number % prime !== 0)) primes.push(number)
const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) >>> 0
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)))
const turn = (value, by) => (value >>> by) | (value << (32 - by))

function bytesOf(text) {
  const encoded = unescape(encodeURIComponent(text))
  const bytes = new Uint8Array((((encoded.length + 8) >> 6) << 6) + 64)
  for (let at = 0; at < encoded.length; at += 1) bytes[at] = encoded.charCodeAt(at)
  bytes[encoded.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor(encoded.length / 2 ** 29))
  view.setUint32(bytes.length - 4, (encoded.length * 8) >>> 0)
  return view
}

export function sha256(text) {
  if (text === null || text === undefined) return null
  const view = bytesOf(String(text))
  const words = new Uint32Array(64)
  let state = START
  for (let from = 0; from < view.byteLength; from += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(from + at * 4)
    for (let at = 16; at < 64; at += 1) {
      const [a, b] = [words[at - 15], words[at - 2]]
      words[at] =
        words[at - 16] +
        (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) +
        words[at - 7] +
        (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let at = 0; at < 64; at += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    state = [a, b, c, d, e, f, g, h].map((value, at) => (value + state[at]) >>> 0)
  }
  return state.map((value) => value.toString(16).padStart(8, '0')).join('')
}

/** Fast, for spreading rows evenly; not cryptographic. */
export function shortHash(text) {
  let hash = 0x811c9dc5
  for (const letter of String(text ?? '')) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
