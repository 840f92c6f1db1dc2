import type { Config } from '../platform/config.ts'
import type { ReadyInfo } from './roles.ts'
import { bold, dim, green } from './terminal.ts'

interface Facts {
  config: Pick<Config, 'publicUrl' | 'home'>
  info: ReadyInfo
  milliseconds: number
}

export function firstScreen({ config, info, milliseconds }: Facts): string[] {
  const rows: [string, string][] = [['Open', bold(config.publicUrl)]]
  if (info.demo) rows.push(['Sign in', info.demo.email], ['Password', describePassword(info.demo.password)])
  if (info.mailboxUrl) rows.push(['Mailbox', info.mailboxUrl])
  rows.push(['API', `${config.publicUrl}/docs`], ['Data', config.home])
  return [
    '',
    `${green('●')} ${bold('Trellis is ready')} ${dim(`in ${(milliseconds / 1000).toFixed(1)} s`)}`,
    '',
    ...rows.map(([name, value]) => `${dim(name.padEnd(10))} ${value}`),
    '',
    dim('Press Ctrl-C to stop.'),
    '',
  ]
}

function describePassword(password: string | undefined): string {
  if (password === undefined)
    return dim('as shown at the first start; "Forgot password" sends a new code to the mailbox')
  return `${bold(password)} ${dim('(shown this once)')}`
}
