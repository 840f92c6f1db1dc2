export type StartFrom = { kind: 'connection'; integration: string } | { kind: 'platform'; platform: string }
