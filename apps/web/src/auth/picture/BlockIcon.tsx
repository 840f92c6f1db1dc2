import type { BlockKind } from './flow.ts'

const SHAPES: Record<BlockKind, string> = {
  source: 'M3 6.5h10l-.8 6.2a1 1 0 0 1-1 .8H4.8a1 1 0 0 1-1-.8L3 6.5Zm2.6 0V5.4a2.4 2.4 0 0 1 4.8 0v1.1',
  database:
    'M3.2 4.4c0-1 2.1-1.7 4.8-1.7s4.8.7 4.8 1.7-2.1 1.7-4.8 1.7-4.8-.7-4.8-1.7Zm0 0v7.2c0 1 2.1 1.7 4.8 1.7s4.8-.7 4.8-1.7V4.4M3.2 8c0 1 2.1 1.7 4.8 1.7s4.8-.7 4.8-1.7',
  upload:
    'M9 2.5H4.6a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h6.8a1 1 0 0 0 1-1V5.9L9 2.5Zm0 0v3.4h3.4M8 11.2V8m-1.5 1.4L8 7.9l1.5 1.5',
  transform:
    'M3 4.2h2.2c2.9 0 2.7 7.6 5.6 7.6H13M3 11.8h2.2c1 0 1.6-.9 2-2.1M8.8 6.3c.4-1.2 1-2.1 2-2.1H13m-1.7-1.7L13 4.2l-1.7 1.7m0 4.2 1.7 1.7-1.7 1.7',
  table:
    'M3.7 3h8.6a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3.7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm-1 3.4h10.6M6.4 6.4V13M2.7 9.7h10.6',
}

export function BlockIcon({ kind }: { kind: BlockKind }) {
  return (
    <path
      d={SHAPES[kind]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  )
}
