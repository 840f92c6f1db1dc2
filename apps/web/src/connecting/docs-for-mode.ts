import type { Forma, FormaValues } from '@trellis/contract/formas/forma'

export type DocsMode = 'token' | 'oauth' | 'sample' | null

const HEADINGS: Record<NonNullable<DocsMode>, string> = {
  token: 'Connect with an access token',
  oauth: 'Connect with OAuth',
  sample: 'Connect with sample data',
}
const PREPARATION = /^(Connect|Before you begin|What you need)\b/

/** Null where the platform has one way to connect. */
export function getDocsMode(forma: Forma, values: FormaValues, isSimulated: boolean): DocsMode {
  if (isSimulated) return 'sample'
  const section = forma.sections.find(({ elements }) => elements.some(({ reference }) => reference === 'method'))
  const method = section && values[section.reference]?.['method']
  return method === 'token' || method === 'oauth' ? method : null
}

export function selectDocs(text: string, mode: DocsMode, name: string): string {
  if (mode === null) return text
  const [lead = '', ...sections] = text.split(/^(?=## )/m)
  const readHeading = (section: string) => /^## (.*)/.exec(section)?.[1]?.trim() ?? ''
  const isOtherWay = (heading: string) => Object.values(HEADINGS).includes(heading) && heading !== HEADINGS[mode]
  const isUnneeded = (heading: string) => mode === 'sample' && PREPARATION.test(heading) && heading !== HEADINGS.sample
  const keptSections = sections.filter(
    (section) => !isOtherWay(readHeading(section)) && !isUnneeded(readHeading(section)),
  )
  const hasSample = keptSections.some((section) => readHeading(section) === HEADINGS.sample)
  return [lead, ...(mode === 'sample' && !hasSample ? [describeSample(name)] : []), ...keptSections].join('')
}

const describeSample = (name: string) =>
  `## ${HEADINGS.sample}\n\nTrellis answers in the place of ${name}. No account, app, token or password is needed, and nothing leaves this server.\n\n`
