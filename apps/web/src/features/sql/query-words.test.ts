import { expect, test } from 'vitest'
import { toOneLine } from './query-words.ts'

test('a query is shown as one line', () => expect(toOneLine(' select 1\n  from  a ')).toBe('select 1 from a'))
