export interface FeatureNames {
  /** `saved-queries`, as in folders, files and URLs. */
  features: string
  words: Record<string, string>
}

export class NameProblem extends Error {}

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** `one`: the singular, where the plural does not follow the rules. */
export function featureNames(features: string, one: string = toSingular(features)): FeatureNames {
  if (!KEBAB.test(features) || features.length > 40) {
    throw new NameProblem(
      `"${features}" is not a feature's name. Use lower-case words with dashes, in the plural: saved-queries.`,
    )
  }
  if (!KEBAB.test(one) || one === features) {
    throw new NameProblem(
      `What is one of the ${features} called? Say it: npm run new:feature -- ${features} --one saved-query`,
    )
  }
  return {
    features,
    words: {
      __features__: features,
      __feature__: toSnakeCase(one),
      __featuresCamel__: toCamelCase(features),
      __features_snake__: toSnakeCase(features),
      __Features__: toPascalCase(features),
      __Feature__: toPascalCase(one),
      '__features words__': features.replaceAll('-', ' '),
      '__feature words__': one.replaceAll('-', ' '),
      '__Features words__': toSentence(features),
      '__Feature words__': toSentence(one),
    },
  }
}

export interface PlatformNames {
  platform: string
  words: Record<string, string>
}

const SNAKE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

export function platformNames(platform: string, name?: string): PlatformNames {
  if (!SNAKE.test(platform) || platform.length > 40 || platform === 'shared') {
    throw new NameProblem(`"${platform}" is not a platform's code. Use lower-case words with underscores: open_shop.`)
  }
  const kebab = platform.replaceAll('_', '-')
  const shown = name ?? toSentence(kebab)
  if (/['"`\\]/.test(shown)) throw new NameProblem(`A platform's name has no quotes: ${shown}`)
  return {
    platform,
    words: { __platform__: platform, __platformCamel__: toCamelCase(kebab), '__Platform name__': shown },
  }
}

export function fill(text: string, words: Record<string, string>): string {
  // Longest first, since one placeholder is the prefix of another.
  const keys = Object.keys(words).toSorted((a, b) => b.length - a.length)
  return keys.reduce((filled, key) => filled.replaceAll(key, words[key] ?? ''), text)
}

export function checkMigrationName(name: string): string {
  if (!KEBAB.test(name) || name.length > 60) {
    throw new NameProblem(`"${name}" is not a migration's name. Use lower-case words with dashes: add-schedules.`)
  }
  return name
}

function toSingular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return plural.replace(/(?<=ss|x|ch|sh)es$|s$/, '')
}

const toPascalCase = (kebab: string) =>
  kebab.replaceAll(/(^|-)([a-z0-9])/g, (_, __: string, letter: string) => letter.toUpperCase())
const toCamelCase = (kebab: string) => kebab.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const toSnakeCase = (kebab: string) => kebab.replaceAll('-', '_')
const toSentence = (kebab: string) => {
  const words = kebab.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
