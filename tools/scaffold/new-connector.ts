console.error(
  'There is no connector kit yet: connectors can be made as soon as packages/connector-kit is part of Trellis.',
)
process.exitCode = 1
