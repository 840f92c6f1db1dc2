const SOURCE = /\.(ts|tsx|mjs)$/
/** JSON Schema, JavaScript, the noun for the run that this one retries, a schema of the API, and texts that are no functions. */
const ALLOWED = new Set(['anyOf', 'oneOf', 'allOf', 'valueOf', 'retryOf', 'TilePlace', 'inWords'])

interface Rule {
  readonly pattern: RegExp
  readonly advice: string
}

/** Verbs in front of a noun that ends in Text, Words or Sentence. */
const VERBS =
  '(?:add|assert|choose|clean|clip|copy|count|create|decode|encode|end|escape|evaluate|fetch|find|flag|format|get|has|hash|is|join|limit|link|list|load|match|merge|parse|quote|read|replace|select|set|skip|stem|stream|to|truncate|use|walk|with|write)[A-Z]'
const FUNCTION = '(?:<[^>]*>)?(?:\\(| = (?:async )?\\((?!await))'

const VERB = 'Begin with a verb: toX for a mapping, findX, getX, listX, countX.'

/** Declarations only: names from libraries are used as they are. */
const RULES: readonly Rule[] = [
  { pattern: /\b(?:const|let|function\*?)\s+([a-z]\w*Of)\b/g, advice: VERB },
  { pattern: /(?:^\s*(?:readonly )?|[({,]\s*)([a-z]\w*Of)\??: /gm, advice: VERB },
  { pattern: /\b(?:const|let)\s+((?:MOST|LONGEST)(?:_\w+)?)\b/g, advice: 'A limit is MAX_…, MIN_… or …_LIMIT.' },
  {
    pattern: /\b(?:type|interface|class)\s+((?:Asked|Known|Performing)\w*|\w+Asked)\b/g,
    advice: 'A type is a noun that stands alone: RunRequest, CatalogueTable.',
  },
  {
    pattern: /\b(?:type|interface)\s+(\w+Place)\b/g,
    advice: 'Say what it is: WorkspaceAddress, TableLocation, ReadPosition.',
  },
  { pattern: /\((one)\) =>/g, advice: 'Name the element: row, column, candidate.' },
  {
    pattern: new RegExp(`\\b(?:function\\*?|const)\\s+((?!${VERBS})[a-z]\\w*(?:Text|Words|Sentence))${FUNCTION}`, 'g'),
    advice: 'Begin with a verb: formatX for a value, describeX for a sentence.',
  },
  { pattern: /\b(?:function\*?|const)\s+(doubt[A-Z]\w*)\b/g, advice: 'Use flagX for what may be wrong.' },
]
const PICTURE = /(^|\/)door[/.-]/

export function findPrivateNames(files: readonly string[], read: (path: string) => string): string[] {
  return files
    .filter((path) => SOURCE.test(path))
    .flatMap((path) => {
      const folder = PICTURE.test(path) ? [`${path}: Say what is inside: auth/.`] : []
      const text = read(path)
      const names = RULES.flatMap(({ pattern, advice }) =>
        [...text.matchAll(pattern)]
          .filter(([, name = '']) => !ALLOWED.has(name))
          .map(
            ({ index, 0: found, 1: name = '' }) =>
              `${path}:${findLine(text, index + found.indexOf(name))}: ${name}: ${advice}`,
          ),
      )
      return [...folder, ...names]
    })
}

const findLine = (text: string, index: number): number => text.slice(0, index).split('\n').length
