/** An LSN as text: two hexadecimal halves. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

const EPOCH_2000_MS = 946_684_800_000

export function formatLogTime(micros: bigint): string {
  const ms = Number(micros / 1000n) + EPOCH_2000_MS
  return new Date(ms).toISOString().replace('Z', `${String(micros % 1000n).padStart(3, '0')}Z`)
}

export const toLogTime = (ms: number): bigint => BigInt(ms - EPOCH_2000_MS) * 1000n

export const formatLsn = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xff_ff_ff_ffn).toString(16)}`.toUpperCase()
