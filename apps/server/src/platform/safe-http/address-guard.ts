import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Block = [Address, number]

export interface AddressRules {
  /** Private networks and this machine; for installations of a single team. */
  allowPrivateHosts: boolean
  /** Addresses, CIDR blocks and host names that are always allowed. */
  allowList: readonly string[]
}

export interface AddressGuard {
  isNamed(hostname: string): boolean
  isAllowed(address: string, isNamed: boolean): boolean
}

const OWN_NETWORK = new Set<string>(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])
const GLOBAL_V6: Block = ipaddr.parseCIDR('2000::/3')

/** Cloud metadata services: allowed only if the exact address is listed. */
const METADATA = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
].map((block) => ipaddr.parseCIDR(block))

export function createAddressGuard(rules: AddressRules): AddressGuard {
  const blocks: Block[] = []
  const names = new Set<string>()
  for (const entry of rules.allowList) {
    const block = parseAddressBlock(entry)
    if (block) blocks.push(block)
    else if (isName(entry)) names.add(entry.toLowerCase())
    else throw new Error(`TRELLIS_ALLOWED_HOSTS holds "${entry}", which is no address, block or name.`)
  }
  return {
    isNamed: (hostname) => names.has(hostname.toLowerCase().replace(/\.$/, '')),
    isAllowed: (text, isNamed) => {
      if (!ipaddr.isValid(text)) return false
      const address = ipaddr.parse(text)
      // A zone such as "fe80::1%eth0" means a local interface.
      if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).zoneId !== undefined) return false
      if (blocks.some((block) => isIn(address, block))) return true
      const plainAddress = unmapIpv4(address)
      if (METADATA.some((block) => isIn(plainAddress, block))) return false
      if (isNamed) return true
      return isPublic(address) || (rules.allowPrivateHosts && OWN_NETWORK.has(plainAddress.range()))
    },
  }
}

/** IPv6 addresses that embed IPv4 (mapped, NAT64, 6to4, Teredo) are not public. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || isIn(address, GLOBAL_V6)
}

function unmapIpv4(address: Address): Address {
  if (address.kind() === 'ipv4') return address
  const v6 = address as ipaddr.IPv6
  return v6.isIPv4MappedAddress() ? v6.toIPv4Address() : v6
}

function isIn(address: Address, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function parseAddressBlock(entry: string): Block | undefined {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry)) return undefined
  const address = ipaddr.parse(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** A numeric last label such as "127.1" would be resolved as an address. */
function isName(entry: string): boolean {
  return /^(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(entry) && !/(^|\.)(\d+|0x[0-9a-f]*)$/i.test(entry)
}
