import ipaddr from 'ipaddr.js'
import { AppError } from '../../../platform/app-error.ts'

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** Normalised like Postgres: host bits cleared, IPv4-mapped IPv6 as IPv4. */
export function findCidr(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  if (rest.length > 0 || address.includes('%') || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined
  // Programs disagree about short and octal forms.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined
  const given = ipaddr.parse(address)
  const isMapped = given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress()
  const whole = isMapped ? (given as ipaddr.IPv6).toIPv4Address() : given
  const most = whole.kind() === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? most : Number(prefix) - (isMapped ? 96 : 0)
  if (length < 0 || length > most) return undefined
  const bytes = whole.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8))
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`
}

export function readCidr(text: string, pointer = '/cidr'): string {
  const cidr = findCidr(text)
  if (cidr !== undefined) return cidr
  throw new AppError(
    'invalid_request',
    'Write an address or a range, like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.',
    {
      source: { pointer },
    },
  )
}

const parseRange = (cidr: string): Range => ipaddr.parseCIDR(cidr)

export function containsRange(outer: string, inner: string): boolean {
  const [network, length] = parseRange(outer)
  const [address, innerLength] = parseRange(inner)
  if (network.kind() !== address.kind() || length > innerLength) return false
  return network.kind() === 'ipv4'
    ? (address as ipaddr.IPv4).match(network as ipaddr.IPv4, length)
    : (address as ipaddr.IPv6).match(network as ipaddr.IPv6, length)
}

export const toCidr = (ip: string): string => findCidr(ip) ?? '127.0.0.1/32'
export const stripHostMask = (cidr: string): string => cidr.replace(/\/(32|128)$/, '')
