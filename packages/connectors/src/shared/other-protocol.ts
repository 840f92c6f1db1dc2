const DIGIT = /\d/
const MYSQL = 'a MySQL or MariaDB server'

/** Another server answered; the message names it. */
export class OtherProtocolError extends Error {
  override readonly name = 'OtherProtocolError'
}

/**
 * Who answers instead of PostgreSQL, by the first bytes. SSH and MySQL speak first, and the `S` of `SSH-` would pass for
 * the yes to an encrypted connection; the others answer what they can't read.
 */
export function assertPostgres(bytes: Buffer): void {
  const other = findServer(bytes)
  if (other !== undefined) throw new OtherProtocolError(other)
}

export function assertMysql(bytes: Buffer): void {
  const other = findServer(bytes)
  if (other !== undefined && other !== MYSQL) throw new OtherProtocolError(other)
}

function findServer(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1')
  if (/^(HTTP\/\d|<!doctype|<html)/i.test(text)) return 'a web server (HTTP)'
  if (text.startsWith('SSH-')) return 'an SSH server'
  if (/^-(ERR|NOAUTH|DENIED|WRONGPASS|LOADING)\b/.test(text)) return 'a Redis server'
  if (/^(220|421|554)[ -]/.test(text)) return 'a mail or FTP server'
  if (bytes[0] === 0x15 && bytes[1] === 0x03) return 'a server that wants TLS from the first byte, such as HTTPS'
  return isMysql(bytes) ? MYSQL : undefined
}

/** Its greeting is version 10 and the version in digits, or a fault numbered from 1024 on: it lets nobody in. */
function isMysql(bytes: Buffer): boolean {
  if (bytes.length < 7 || bytes[3] !== 0) return false
  const isGreeting = bytes[4] === 10 && DIGIT.test(String.fromCharCode(bytes[5] ?? 0))
  return isGreeting || (bytes[4] === 0xff && bytes[6] === 0x04)
}
