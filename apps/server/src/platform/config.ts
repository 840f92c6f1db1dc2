import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { findAddressProblem } from '@trellis/postgres-client/address'
import * as z from 'zod/mini'

const MEGABYTE = 1024 ** 2
const DATABASE_MEMORY = 0.4

const flagSetting = (fallback: boolean) =>
  z.pipe(
    z._default(z.enum(['on', 'off'], { error: 'must be "on" or "off"' }), fallback ? 'on' : 'off'),
    z.transform((value) => value === 'on'),
  )
const urlSetting = (protocols: RegExp, hint: string) =>
  z.optional(
    z
      .string()
      .check(z.refine((value) => URL.canParse(value) && protocols.test(new URL(value).protocol), { error: hint })),
  )
const wholeNumberSetting = (fallback: number, min: number, max: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(min), z.maximum(max)), fallback)

const postgresUrl = z.optional(
  z.string().check(
    z.refine((value) => findAddressProblem(value) === undefined, {
      error: ({ input }) => findAddressProblem(String(input)) ?? '',
    }),
  ),
)
const webUrl = urlSetting(/^https?:$/, 'must look like https://trellis.example.com')

/** The only access to environment variables. */
const Settings = z.object({
  TRELLIS_ROLE: z._default(z.enum(['all', 'api', 'worker'], { error: 'must be "all", "api" or "worker"' }), 'all'),
  TRELLIS_HOME: z._default(z.string().check(z.minLength(1)), '.trellis'),
  TRELLIS_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  TRELLIS_PORT: wholeNumberSetting(4600, 1, 65_535),
  TRELLIS_WORKER_PORT: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(65_535))),
  TRELLIS_PUBLIC_URL: webUrl,
  TRELLIS_LOG_LEVEL: z._default(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'info'),
  TRELLIS_TRUST_PROXY: flagSetting(false),
  TRELLIS_DATABASE_URL: postgresUrl,
  TRELLIS_DATABASE_DIRECT_URL: postgresUrl,
  TRELLIS_DATABASE_OWNER_URL: postgresUrl,
  TRELLIS_DATABASE_POOL: wholeNumberSetting(10, 2, 200),
  TRELLIS_CLUSTER_URL: postgresUrl,
  TRELLIS_CLUSTER_REPLICA_URL: postgresUrl,
  TRELLIS_RUNS: wholeNumberSetting(8, 1, 200),
  TRELLIS_RUNS_PER_WORKSPACE: wholeNumberSetting(4, 1, 200),
  TRELLIS_RUNS_PER_CONNECTION: wholeNumberSetting(2, 1, 200),
  TRELLIS_SESSIONS_PER_WORKSPACE: wholeNumberSetting(24, 2, 200),
  TRELLIS_SLOT_LIMIT_MB: z._default(z.coerce.number().check(z.int(), z.minimum(16), z.maximum(1_000_000)), 2048),
  TRELLIS_LOAD_ROWS: wholeNumberSetting(200_000, 1, 1_000_000),
  TRELLIS_DATABASE_LISTEN: z._default(
    z.string().check(z.regex(/^[0-9A-Fa-f.:*]+$/, 'must be an address of this machine')),
    '127.0.0.1',
  ),
  TRELLIS_DATABASE_MEMORY_MB: wholeNumberSetting(
    Math.floor((totalmem() * DATABASE_MEMORY) / MEGABYTE),
    256,
    16_777_216,
  ),
  TRELLIS_DISK_LIMIT: wholeNumberSetting(90, 50, 99),
  TRELLIS_DATABASE_CERT: z.optional(z.string()),
  TRELLIS_DATABASE_KEY: z.optional(z.string()),
  TRELLIS_ROOT_KEY: z.optional(z.string()),
  TRELLIS_ROOT_KEY_PREVIOUS: z.optional(z.string()),
  TRELLIS_SMTP_URL: urlSetting(/^smtps?:$/, 'must look like smtp://user:password@mail.example.com:587'),
  TRELLIS_MAIL_FROM: z._default(z.string().check(z.minLength(3)), 'Trellis <no-reply@trellis.local>'),
  TRELLIS_S3_BUCKET: z.optional(z.string()),
  TRELLIS_S3_ENDPOINT: webUrl,
  TRELLIS_S3_REGION: z._default(z.string(), 'us-east-1'),
  TRELLIS_S3_ACCESS_KEY_ID: z.optional(z.string()),
  TRELLIS_S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  TRELLIS_OIDC_ISSUER: webUrl,
  TRELLIS_OIDC_CLIENT_ID: z.optional(z.string()),
  TRELLIS_OIDC_CLIENT_SECRET: z.optional(z.string()),
  TRELLIS_OIDC_NAME: z._default(z.string().check(z.maxLength(40)), 'single sign-on'),
  TRELLIS_STRIPE_SECRET_KEY: z.optional(
    z
      .string()
      .check(z.regex(/^(sk|rk)_(test|live)_\w{8,}$/, 'must be a secret key of Stripe, like sk_test_… or sk_live_…')),
  ),
  TRELLIS_STRIPE_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^whsec_\w{8,}$/, 'must look like whsec_…'))),
  TRELLIS_OAUTH_GOOGLE_CLIENT_ID: z.optional(z.string()),
  TRELLIS_OAUTH_GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  TRELLIS_OAUTH_META_CLIENT_ID: z.optional(z.string()),
  TRELLIS_OAUTH_META_CLIENT_SECRET: z.optional(z.string()),
  TRELLIS_OAUTH_HUBSPOT_CLIENT_ID: z.optional(z.string()),
  TRELLIS_OAUTH_HUBSPOT_CLIENT_SECRET: z.optional(z.string()),
  TRELLIS_OAUTH_SHOPIFY_CLIENT_ID: z.optional(z.string()),
  TRELLIS_OAUTH_SHOPIFY_CLIENT_SECRET: z.optional(z.string()),
  TRELLIS_SIMULATORS: z.optional(z.enum(['on', 'off'], { error: 'must be "on" or "off"' })),
  TRELLIS_ALLOW_PRIVATE_HOSTS: flagSetting(false),
  TRELLIS_ALLOWED_HOSTS: z._default(z.string(), ''),
  TRELLIS_AI_PROTOCOL: z._default(
    z.enum(['anthropic', 'openai'], { error: 'must be "anthropic" or "openai"' }),
    'openai',
  ),
  TRELLIS_AI_BASE_URL: webUrl,
  TRELLIS_AI_MODEL: z.optional(z.string()),
  TRELLIS_AI_KEY: z.optional(z.string()),
  TRELLIS_AI_CREDITS_PER_ANSWER: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1000)), 1),
  TRELLIS_AI_IDLE_SECONDS: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(60)), 30),
  TRELLIS_REPORT_DSN: webUrl,
  TRELLIS_TERMS_URL: webUrl,
  TRELLIS_PRIVACY_URL: webUrl,
  TRELLIS_COMMUNITY_URL: webUrl,
  TRELLIS_BOOKING_URL: webUrl,
  TRELLIS_SUPPORT_EMAIL: z._default(z.string(), 'support@trellis.local'),
  TRELLIS_DEMO: z.optional(z.enum(['on', 'off'], { error: 'must be "on" or "off"' })),
  TRELLIS_MAILBOX_TOKEN: z.optional(z.string().check(z.minLength(20, 'must have at least 20 characters'))),
  TRELLIS_METRICS_TOKEN: z.optional(z.string().check(z.minLength(20, 'must have at least 20 characters'))),
  TRELLIS_RATE_LIMITS: flagSetting(true),
})

const MODEL_ADDRESSES = { anthropic: 'https://api.anthropic.com/v1', openai: 'https://api.openai.com/v1' }

const OAUTH_PROVIDERS = ['GOOGLE', 'META', 'HUBSPOT', 'SHOPIFY'] as const
export type OauthApp = { readonly clientId: string; readonly clientSecret: string }

function readOauthApps(
  s: z.infer<typeof Settings>,
  together: (names: (keyof z.infer<typeof Settings>)[]) => boolean,
): ReadonlyMap<string, OauthApp> {
  const apps = new Map<string, OauthApp>()
  for (const provider of OAUTH_PROVIDERS) {
    const [id, secret] = [`TRELLIS_OAUTH_${provider}_CLIENT_ID`, `TRELLIS_OAUTH_${provider}_CLIENT_SECRET`] as const
    if (together([id, secret])) apps.set(provider, { clientId: s[id] as string, clientSecret: s[secret] as string })
  }
  return apps
}

function readModel(s: z.infer<typeof Settings>) {
  if (s.TRELLIS_AI_MODEL === undefined) return undefined
  const protocol = s.TRELLIS_AI_PROTOCOL
  return {
    protocol,
    baseUrl: (s.TRELLIS_AI_BASE_URL ?? MODEL_ADDRESSES[protocol]).replace(/\/+$/, ''),
    model: s.TRELLIS_AI_MODEL,
    apiKey: s.TRELLIS_AI_KEY ?? null,
    creditsPerAnswer: s.TRELLIS_AI_CREDITS_PER_ANSWER,
  }
}

function readAddresses(s: z.infer<typeof Settings>) {
  if (s.TRELLIS_ROLE !== 'all' && s.TRELLIS_DATABASE_URL === undefined) {
    throw new ConfigProblem(
      `TRELLIS_DATABASE_URL must be set when TRELLIS_ROLE is "${s.TRELLIS_ROLE}": only "all" brings its own database.`,
    )
  }
  for (const name of ['TRELLIS_DATABASE_DIRECT_URL', 'TRELLIS_DATABASE_OWNER_URL'] as const) {
    if (s[name] !== undefined && s.TRELLIS_DATABASE_URL === undefined) {
      throw new ConfigProblem(`TRELLIS_DATABASE_URL must be set as well when ${name} is.`)
    }
  }
  if (s.TRELLIS_CLUSTER_REPLICA_URL && !s.TRELLIS_CLUSTER_URL && !s.TRELLIS_DATABASE_URL) {
    throw new ConfigProblem('TRELLIS_CLUSTER_URL must be set as well when TRELLIS_CLUSTER_REPLICA_URL is.')
  }
  return {
    databaseUrl: s.TRELLIS_DATABASE_URL,
    /** Bypasses the pooler: LISTEN, session locks, the queue and migrations need sessions. */
    databaseDirectUrl: s.TRELLIS_DATABASE_DIRECT_URL ?? s.TRELLIS_DATABASE_URL,
    isPooled: s.TRELLIS_DATABASE_DIRECT_URL !== undefined,
    /** Owns the tables; for migrations only. */
    databaseOwnerUrl: s.TRELLIS_DATABASE_OWNER_URL ?? s.TRELLIS_DATABASE_DIRECT_URL ?? s.TRELLIS_DATABASE_URL,
    clusterUrl: s.TRELLIS_CLUSTER_URL,
    clusterReplicaUrl: s.TRELLIS_CLUSTER_REPLICA_URL,
  }
}

/** Depends on whether other machines can reach this one. */
const isOn = (given: 'on' | 'off' | undefined, otherwise: boolean) => (given === undefined ? otherwise : given === 'on')

const isLoopbackName = (host: string) => /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/.test(host)

export class ConfigProblem extends Error {}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(
    Object.entries(env).filter(([key, value]) => key.startsWith('TRELLIS_') && value !== ''),
  )
  const parsed = z.safeParse(Settings, given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigProblem(`${String(issue?.path[0])} is not valid: ${issue?.message}.`)
  }
  const s = parsed.data
  const together = (names: (keyof typeof s)[]) => {
    const missingNames = names.filter((name) => s[name] === undefined)
    if (missingNames.length > 0 && missingNames.length < names.length) {
      throw new ConfigProblem(
        `${missingNames.join(' and ')} must be set as well when ${names.filter((n) => !missingNames.includes(n)).join(', ')} is.`,
      )
    }
    return missingNames.length === 0
  }
  const hasOidc = together(['TRELLIS_OIDC_ISSUER', 'TRELLIS_OIDC_CLIENT_ID', 'TRELLIS_OIDC_CLIENT_SECRET'])
  if (s.TRELLIS_STRIPE_WEBHOOK_SECRET !== undefined && s.TRELLIS_STRIPE_SECRET_KEY === undefined) {
    throw new ConfigProblem('TRELLIS_STRIPE_SECRET_KEY must be set as well when TRELLIS_STRIPE_WEBHOOK_SECRET is.')
  }
  if (s.TRELLIS_ROOT_KEY_PREVIOUS !== undefined && s.TRELLIS_ROOT_KEY === undefined) {
    throw new ConfigProblem('TRELLIS_ROOT_KEY must be set as well when TRELLIS_ROOT_KEY_PREVIOUS is.')
  }
  together(['TRELLIS_DATABASE_CERT', 'TRELLIS_DATABASE_KEY'])
  const oauthApps = readOauthApps(s, together)
  const isS3 = s.TRELLIS_S3_BUCKET !== undefined
  if (isS3) together(['TRELLIS_S3_ACCESS_KEY_ID', 'TRELLIS_S3_SECRET_ACCESS_KEY'])
  const isLoopback = isLoopbackName(s.TRELLIS_HOST)
  const publicUrl = (s.TRELLIS_PUBLIC_URL ?? `http://localhost:${s.TRELLIS_PORT}`).replace(/\/$/, '')
  const isOnlyHere = isLoopback && isLoopbackName(new URL(publicUrl).hostname) && !s.TRELLIS_TRUST_PROXY
  return {
    role: s.TRELLIS_ROLE,
    home: resolve(s.TRELLIS_HOME),
    host: s.TRELLIS_HOST,
    port: s.TRELLIS_PORT,
    workerPort: s.TRELLIS_WORKER_PORT,
    publicUrl,
    isHttps: publicUrl.startsWith('https:'),
    /** Listens on loopback, under a loopback name and without a proxy. */
    isOnlyHere,
    isLoopback,
    logLevel: s.TRELLIS_LOG_LEVEL,
    trustProxy: s.TRELLIS_TRUST_PROXY,
    ...readAddresses(s),
    databasePool: s.TRELLIS_DATABASE_POOL,
    /** Concurrent runs: per worker, per workspace on it, and per credential and session over all workers. */
    runLimits: {
      total: s.TRELLIS_RUNS,
      perWorkspace: s.TRELLIS_RUNS_PER_WORKSPACE,
      perCredential: s.TRELLIS_RUNS_PER_CONNECTION,
      sessionsPerWorkspace: s.TRELLIS_SESSIONS_PER_WORKSPACE,
    },
    loadRows: s.TRELLIS_LOAD_ROWS,
    slotLimitBytes: s.TRELLIS_SLOT_LIMIT_MB * 1024 ** 2,
    /** Additional address of the built-in database, with its certificate. */
    databaseListen: {
      address: s.TRELLIS_DATABASE_LISTEN,
      certificateFile: s.TRELLIS_DATABASE_CERT,
      keyFile: s.TRELLIS_DATABASE_KEY,
      names: [new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '')],
    },
    /** Limits for workspace sessions, with the built-in Postgres. */
    databaseLimits: {
      memoryBytes: s.TRELLIS_DATABASE_MEMORY_MB * MEGABYTE,
      disk: s.TRELLIS_DISK_LIMIT / 100,
    },
    rootKey: s.TRELLIS_ROOT_KEY,
    previousRootKey: s.TRELLIS_ROOT_KEY_PREVIOUS,
    smtpUrl: s.TRELLIS_SMTP_URL,
    mailFrom: s.TRELLIS_MAIL_FROM,
    s3: isS3
      ? {
          bucket: s.TRELLIS_S3_BUCKET as string,
          endpoint: s.TRELLIS_S3_ENDPOINT,
          region: s.TRELLIS_S3_REGION,
          accessKeyId: s.TRELLIS_S3_ACCESS_KEY_ID,
          secretAccessKey: s.TRELLIS_S3_SECRET_ACCESS_KEY,
        }
      : undefined,
    oidc: hasOidc
      ? {
          issuer: s.TRELLIS_OIDC_ISSUER as string,
          clientId: s.TRELLIS_OIDC_CLIENT_ID as string,
          clientSecret: s.TRELLIS_OIDC_CLIENT_SECRET as string,
          name: s.TRELLIS_OIDC_NAME,
        }
      : undefined,
    stripe:
      s.TRELLIS_STRIPE_SECRET_KEY === undefined
        ? undefined
        : { secretKey: s.TRELLIS_STRIPE_SECRET_KEY, webhookSecret: s.TRELLIS_STRIPE_WEBHOOK_SECRET },
    /** The operator's OAuth apps, by provider name in capitals. */
    oauthApps,
    hasSimulators: isOn(s.TRELLIS_SIMULATORS, isLoopback),
    allowPrivateHosts: s.TRELLIS_ALLOW_PRIVATE_HOSTS,
    allowedHosts: s.TRELLIS_ALLOWED_HOSTS.split(/[\s,]+/).filter(Boolean),
    model: readModel(s),
    modelIdleMs: s.TRELLIS_AI_IDLE_SECONDS * 1000,
    reportDsn: s.TRELLIS_REPORT_DSN,
    supportEmail: s.TRELLIS_SUPPORT_EMAIL,
    links: {
      terms: s.TRELLIS_TERMS_URL,
      privacy: s.TRELLIS_PRIVACY_URL,
      community: s.TRELLIS_COMMUNITY_URL,
      booking: s.TRELLIS_BOOKING_URL,
    },
    isDemo: isOn(s.TRELLIS_DEMO, isOnlyHere),
    mailboxToken: s.TRELLIS_MAILBOX_TOKEN,
    metricsToken: s.TRELLIS_METRICS_TOKEN,
    hasRateLimits: s.TRELLIS_RATE_LIMITS,
  }
}
