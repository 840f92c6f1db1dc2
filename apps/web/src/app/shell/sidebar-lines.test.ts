import { expect, test } from 'vitest'
import { workspaceAreas } from './areas.ts'
import { findCurrentArea } from './sidebar-lines.ts'

test.each([
  ['/explorer/home', 'Explorer'],
  ['/explorer/worksheets', 'Worksheets'],
  ['/explorer/project/p1/folder/root/worksheet/f1/a.sql/code-editor', 'Worksheets'],
  ['/explorer/queries/history', 'Queries'],
  ['/dataflow/d1/editor', 'Dataflows'],
  ['/ai/chats/c1', 'AI'],
  ['/settings', 'Workspace settings'],
  ['/elsewhere', undefined],
])('%s belongs to %s', (path, title) => expect(findCurrentArea(workspaceAreas, path)?.title).toBe(title))
