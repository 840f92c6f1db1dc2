/** What the person begins with: something connected already, or a platform to connect. */
export type StartFrom = { kind: 'connection'; integration: string } | { kind: 'platform'; platform: string }
