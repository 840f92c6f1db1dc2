#!/usr/bin/env node
import process, { argv, env } from 'node:process'
import { runCli } from './run-cli.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

process.exitCode = await runCli(argv.slice(2), {
  env,
  print: (line) => void process.stdout.write(`${line}\n`),
  say: (line) => void process.stderr.write(`${line}\n`),
  signal: stop.signal,
})
