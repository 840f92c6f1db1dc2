const TEXT =
  /\.(ts|tsx|mjs|js|json|css|html|md|sql|csv|yml|yaml|sh|txt|tmpl|svg)$|(^|\/)(LICENSE|NOTICE|run|\.npmrc|\.gitignore|\.editorconfig)$/
const EXEMPT = /^docs\/openapi\.json$/

interface Word {
  pattern: RegExp
  why: string
}

const WORDS: readonly Word[] = [
  { pattern: /(^|[\s"'`(=:])\/(?:home|Users)\/[a-z][\w.-]*\//, why: 'a path of one machine' },
  { pattern: /(^|[\s"'`(=:])\/(?:work|root|mnt)\/[\w.-]+/, why: 'a path of one machine' },
  { pattern: /\b[A-Z]:\\Users\\/, why: 'a path of one machine' },
  { pattern: /https?:\/\/registry\.[a-z]/, why: 'the host of a package registry' },
  { pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/]/, why: 'a private key' },
  { pattern: /\bAKIA[0-9A-Z]{16}\b|\bsk_live_\w+|\bghp_\w{20}/, why: 'a secret of some service' },
  { pattern: /^(<{7}|>{7}) /m, why: 'a merge that was not finished' },
]

export function findForbiddenWords(files: readonly string[], read: (path: string) => string): string[] {
  return files
    .filter((path) => TEXT.test(path) && !EXEMPT.test(path))
    .flatMap((path) => {
      const text = read(path)
      return WORDS.flatMap(({ pattern, why }) => {
        const match = pattern.exec(text)
        return match
          ? [`${path}:${text.slice(0, match.index + 1).split('\n').length}: holds ${why}: ${match[0].trim()}`]
          : []
      })
    })
}
