import { vi } from 'vitest'

// Files share a process and the libraries it loaded: what our own modules remember would reach the next file.
vi.resetModules()
