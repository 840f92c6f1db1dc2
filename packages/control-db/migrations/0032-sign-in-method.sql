-- HubSpot and Shopify ask how to sign in. Connections from before have a token.
update integrations
   set settings = jsonb_set(settings, '{account,method}', '"token"')
 where platform_code = 'hubspot' and settings ? 'account' and not settings -> 'account' ? 'method';

update integrations
   set settings = jsonb_set(settings, '{shop,method}', '"token"')
 where platform_code = 'shopify' and settings ? 'shop' and not settings -> 'shop' ? 'method';
