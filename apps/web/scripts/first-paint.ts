/**
 * Runs inline in the head of every page, before anything is painted:
 * the stored theme preference wins, then the AI area's dark, then what the system prefers.
 * A public page that may be about to leave (stored profile on the sign-in page, /reset without an e-mail)
 * is kept hidden until the script that decides has run. Where single sign-on is set up its button gets its place now.
 */
export const FIRST_PAINT = `(function(d,l,p,t){
try{p=JSON.parse(localStorage.getItem('trellis.profile'));t=p&&p.preferences&&p.preferences.themeMode}catch(e){}
if(/^\\/[^/]+\\/[^/]+\\/ai(\\/|$)/.test(l))t='dark';
if(t!=='light'&&t!=='dark')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
d.dataset.theme=t;
if(document.querySelector('meta[name="trellis-sso"]'))d.dataset.sso='';
if((p&&(l==='/'||l==='/login'||l==='/signup'||l==='/activate'))||(l==='/reset'&&!(history.state&&history.state.email)))d.dataset.checking='';
})(document.documentElement,location.pathname)`
