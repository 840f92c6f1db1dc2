import { act } from '@testing-library/react'
import type { FakeWorld } from '../../../testing/fake-world.ts'
import { openApp } from '../../../testing/render-app.tsx'

export function openAt(path: string, state: unknown, change: Partial<FakeWorld> = {}) {
  const app = openApp('/workspaces', change)
  act(() => void app.router.navigate(path, { state }))
  return app
}
