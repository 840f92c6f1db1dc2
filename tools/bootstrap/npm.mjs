import { basename } from 'node:path'
import { runQuietly } from './run-quietly.mjs'
import { findFileSentence, problem } from './say.mjs'

const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-progress', '--ignore-scripts']

export async function runNpm({ task, args, cwd }) {
  const { program, first } = findNpm()
  const { code, output } = await runQuietly({ task, program, args: [...first, ...args, ...quiet], cwd }).catch(
    (error) => {
      throw error.code === 'ENOENT'
        ? problem('npm was not found. Install Node.js together with npm and try again.')
        : error
    },
  )
  if (code !== 0) throw problem(describeFailure({ task, output, cwd }))
}

// `npm run` sets npm's path; the npm on PATH may belong to another Node.
function findNpm() {
  const path = process.env.npm_execpath
  if (path && /^npm(-cli)?\.(c|m)?js$/.test(basename(path))) return { program: process.execPath, first: [path] }
  return { program: 'npm', first: [] }
}

const networkCodes =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|ENETWORK)\b/

export function describeFailure({ task, output, cwd }) {
  const fileCode = /\b(ENOSPC|EDQUOT|EROFS|EACCES|EPERM)\b/.exec(output)?.[1]
  if (fileCode) return findFileSentence({ code: fileCode, path: /npm error path (.+)/.exec(output)?.[1] }, cwd)
  if (networkCodes.test(output)) {
    return `${task} failed: the package registry cannot be reached. Check the network (or npm's proxy and registry settings) and try again.`
  }
  if (/\b(E404|ETARGET)\b/.test(output)) {
    const missing = /npm error (?:404\s+)?'?([^'\s]+@[^'\s]+)'?/.exec(output)?.[1] ?? 'a package'
    return `${task} failed: the package registry does not have ${missing}. Check npm's registry setting and try again.`
  }
  if (/\bE40[13]\b/.test(output)) {
    return `${task} failed: the package registry refused the request. Check npm's registry setting and sign-in and try again.`
  }
  if (output.includes('EUSAGE') && output.includes('in sync')) {
    return `${task} failed: package.json and package-lock.json do not match. Run "npm install --ignore-scripts" and try again.`
  }
  const reason = output
    .split('\n')
    .filter((line) => line.startsWith('npm error ') && !/code |log of this run|errno /.test(line))
    .map((line) => line.replace(/^npm error /, '').trim())[0]
  return `${task} failed: ${reason || 'npm gave no reason'}.`
}
