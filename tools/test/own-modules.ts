import { vi } from 'vitest'

// Test files share a process; without this, module state would leak into the next file.
vi.resetModules()
