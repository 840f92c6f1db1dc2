import { expect, test } from 'vitest'
import { describeDatabase } from './RoleEffects.tsx'

const effect = { is_removed: false, logins: ['w_a'], roles_lost: [], roles_gained: [] }

test.each([
  [null, 'No database login.'],
  [effect, 'Database login w_a keeps its rights.'],
  [
    { ...effect, roles_lost: ['Workspace editor'], roles_gained: ['Workspace viewer'] },
    'Database login w_a loses Workspace editor and gets Workspace viewer.',
  ],
  [{ ...effect, is_removed: true }, 'Database login w_a is deleted and open connections end.'],
  [
    { ...effect, is_removed: true, logins: ['w_a', 'w_b'] },
    'Database logins w_a, w_b are deleted and open connections end.',
  ],
  [{ ...effect, logins: [], is_removed: true }, 'The database profile is deleted.'],
])('%j reads as a sentence', (database, text) => {
  expect(describeDatabase(database)).toBe(text)
})
