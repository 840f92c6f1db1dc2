import { join } from 'node:path'
import { styleText } from 'node:util'
import { openLogFile } from './log-file.ts'
import type { Role } from './roles.ts'

export interface Terminal {
  say(line: string): void
  warn(line: string): void
  show(lines: string[]): void
  /** Without a terminal, warnings and errors are also printed, for log collectors. */
  takeLog(role: Role, chunk: Buffer): void
  logPath(role: Role): string
}

export const bold = (text: string) => styleText('bold', text)
export const dim = (text: string) => styleText('dim', text)
export const green = (text: string) => styleText('green', text)
const yellow = (text: string) => styleText('yellow', text)

const EVERYDAY = /^\{"level":"(debug|info)"/

/** A log line may arrive in two chunks. */
export function passFaults(write: (text: string) => void = (text) => void process.stdout.write(text)) {
  let rest = ''
  return (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (!EVERYDAY.test(line)) write(`${line}\n`)
  }
}

export function openTerminal(home: string): Terminal {
  const logPath = (role: Role) => join(home, 'logs', `${role}.log`)
  const files = { api: openLogFile(logPath('api')), worker: openLogFile(logPath('worker')) }
  const passOn = { api: passFaults(), worker: passFaults() }
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  return {
    say: (line) => print(`  ${dim(line)}`),
    warn: (line) => print(`  ${yellow('!')} ${line}`),
    show: (lines) => print(lines.map((line) => (line ? `  ${line}` : '')).join('\n')),
    takeLog: (role, chunk) => {
      files[role](chunk)
      if (!process.stdout.isTTY) passOn[role](chunk)
    },
    logPath,
  }
}
