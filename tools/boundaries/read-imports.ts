export interface Import {
  specifier: string
  line: number
  isType: boolean
  isLazy: boolean
}

const STATEMENT = /^[ \t]*(?:import|export)\b(?<clause>[^'"`;]*?)(?<from>\bfrom\s*)?['"](?<specifier>[^'"\n]+)['"]/gm
const LAZY = /\bimport\(\s*['"](?<specifier>[^'"\n]+)['"]/g

/**
 * By regular expression: statements start a line, thanks to the formatter. A line of a template string that looks like
 * an import counts too.
 */
export function readImports(text: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].flatMap((match): Import[] => {
    const { clause = '', from, specifier = '' } = match.groups ?? {}
    const isBare = clause.trim() === ''
    if (from === undefined && !isBare) return []
    return [{ specifier, line: findLine(text, match.index), isType: isTypeClause(clause), isLazy: false }]
  })
  const lazy = [...text.matchAll(LAZY)].flatMap((match): Import[] => {
    const { specifier = '' } = match.groups ?? {}
    const before = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index)
    if (/^\s*(\*|\/[*/])/.test(before)) return []
    return [{ specifier, line: findLine(text, match.index), isType: /\btypeof\s*$/.test(before), isLazy: true }]
  })
  return [...statements, ...lazy]
}

function isTypeClause(clause: string): boolean {
  if (/^\s*type\b(?!\s*,)(?!\s+from)/.test(clause)) return true
  const braces = /^\s*\{(?<names>[^}]*)\}\s*$/.exec(clause)?.groups?.['names']
  if (braces === undefined) return false
  const names = braces.split(',').filter((name) => name.trim() !== '')
  return names.length > 0 && names.every((name) => /^\s*type\s/.test(name))
}

function findLine(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
