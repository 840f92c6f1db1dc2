const DIGIT = /\d/
const MYSQL = 'a MySQL or MariaDB server'

export class OtherProtocolError extends Error {
  override readonly name = 'OtherProtocolError'
}

/** Recognises another server by its first bytes. The `S` of `SSH-` would otherwise pass as consent to TLS. */
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

/** Protocol version 10, or an error packet with a code from 1024 on, as sent to refused hosts. */
function isMysql(bytes: Buffer): boolean {
  if (bytes.length < 7 || bytes[3] !== 0) return false
  const isGreeting = bytes[4] === 10 && DIGIT.test(String.fromCharCode(bytes[5] ?? 0))
  return isGreeting || (bytes[4] === 0xff && bytes[6] === 0x04)
}
