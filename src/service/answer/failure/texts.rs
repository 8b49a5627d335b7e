//! Texts of the failures for clients, in five languages.
//!
//! Input: a [`Failure`]. Output: its detail. Invariant: no text contains a cause, and a new failure
//! does not compile without its texts.

use std::fmt;

use tilesight_core::explain::{Lang, Message, said};
use tilesight_core::plural::format_count;

use super::{Failure, SharedResource, StreamLimit};

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Problem(problem) => problem.fmt(out),
            Failure::TooLarge { limit } => write!(out, "the body may have at most {limit} bytes"),
            Failure::UnsupportedBody { expected } => write!(out, "unsupported content type: expected {expected}"),
            Failure::EncodedBody => out.write_str("Content-Encoding is not supported: send the body as it is"),
            Failure::SlowBody => out.write_str("the body did not arrive in time"),
            Failure::NoKey { .. } => out.write_str("send a valid API key: Authorization: Bearer KEY"),
            Failure::OverRate { wait } => write!(out, "the rate limit is reached: retry in {wait} s"),
            Failure::NoFeedback => out.write_str("this service does not accept feedback"),
            Failure::NoSuchFeedback => out.write_str("there is no such feedback, or it was deleted"),
            Failure::WrongToken => out.write_str("the token does not belong to this feedback"),
            Failure::FeedbackFull => out.write_str("the store for feedback is full: retry later"),
            Failure::NoJobs => out.write_str("this service does not accept jobs"),
            Failure::NoSuchJob => out.write_str("there is no such job, or it was deleted"),
            Failure::InFlight { .. } => out.write_str("a request with this idempotency key is still being processed: retry later"),
            Failure::KeyReused => out.write_str("this idempotency key was used for another request: each request needs its own"),
            Failure::TooManyJobs { most } => write!(out, "at most {} allowed: wait until one ends", format_count(*most, "unfinished job is", "unfinished jobs are")),
            Failure::NoWebhooks => out.write_str("webhooks are disabled: the operator has to name a key file with --seal-key (TILESIGHT_SEAL_KEY)"),
            Failure::TooMuchKept { most } => write!(out, "your jobs may store at most {most} bytes: delete a job that you no longer need"),
            Failure::NoRoom => out.write_str("the storage for jobs is full: the operator can make room"),
            Failure::NoSpace { .. } => out.write_str("the service has no room left to store this, and stored nothing: its operator can make room"),
            Failure::Storage { .. } => out.write_str("jobs can't be stored at the moment: retry later"),
            Failure::NoGames => out.write_str("this service does not keep games"),
            Failure::NoSuchGame => out.write_str("there is no such game, or it was deleted"),
            Failure::StaleGame => out.write_str("the game was modified concurrently: reload it and retry"),
            Failure::Unconditional => out.write_str("send If-Match with the ETag of the revision that you read"),
            Failure::TooManyGames { most } => write!(out, "at most {} kept for you: delete one", format_count(*most, "game is", "games are")),
            Failure::GamesFull { most } => write!(out, "this service keeps at most {}", format_count(*most, "game", "games")),
            Failure::Crowded(StreamLimit::Client) => out.write_str("you follow as many games at once as is allowed: close one"),
            Failure::Crowded(StreamLimit::Players) => out.write_str("as many devices follow this game as can play it: close one"),
            Failure::Crowded(StreamLimit::Link) => out.write_str("this link has as many viewers as it can: retry later"),
            Failure::Crowded(StreamLimit::Onlookers) => out.write_str("this game has as many viewers as it can: retry later"),
            Failure::Crowded(StreamLimit::All) => out.write_str("as many clients follow games here as can: retry later"),
            Failure::WrongHost { name } => write!(out, "this service does not answer to the name {name}: if it is the service's own, start it with --host {name}"),
            Failure::ForeignPage => out.write_str("without API keys, pages of other sites may not use this service: if this site is the service's own, behind a proxy, start it with --host and the site's name"),
            Failure::Share { what } => write!(out, "you hold your share of the {what}: wait until one of yours ends"),
            Failure::Busy => out.write_str("too many photos at once: retry soon"),
            Failure::Starting => out.write_str("the models are being loaded: retry soon"),
            Failure::Stopping => out.write_str("the service is stopping"),
            Failure::Overdue => out.write_str("the answer took too long: retry"),
            Failure::NoSuchPath => out.write_str("there is nothing at this path"),
            Failure::NoSuchMethod => out.write_str("the Allow header lists the methods of this path"),
            Failure::Internal { .. } => out.write_str("the log has the cause, under the request's id"),
        }
    }
}

impl Message for Failure {
    fn said(&self, lang: Lang) -> String {
        match self {
            Failure::Problem(problem) => problem.detail.said(lang).to_owned(),
            Failure::TooLarge { limit } => said!(
                self,
                lang,
                "der Inhalt darf höchstens {limit} Byte haben",
                "indholdet må højst være {limit} byte",
                "innehållet får ha högst {limit} byte",
                "请求正文最多 {limit} 字节",
            ),
            Failure::UnsupportedBody { expected } => said!(
                self,
                lang,
                "nicht unterstützter Inhaltstyp: erwartet wird {expected}",
                "indholdstypen understøttes ikke: forventet er {expected}",
                "innehållstypen stöds inte: väntat var {expected}",
                "不支持的内容类型：应为 {expected}",
            ),
            Failure::EncodedBody => said!(
                self,
                lang,
                "Content-Encoding wird nicht unterstützt: sende den Inhalt unverändert",
                "Content-Encoding understøttes ikke: send indholdet, som det er",
                "Content-Encoding stöds inte: skicka innehållet som det är",
                "不支持 Content-Encoding：请原样发送正文",
            ),
            Failure::SlowBody => said!(
                self,
                lang,
                "der Inhalt kam nicht rechtzeitig an",
                "indholdet kom ikke frem i tide",
                "innehållet kom inte fram i tid",
                "请求正文未及时到达",
            ),
            Failure::NoKey { .. } => said!(
                self,
                lang,
                "sende einen gültigen Schlüssel: Authorization: Bearer KEY",
                "send en gyldig nøgle: Authorization: Bearer KEY",
                "skicka en giltig nyckel: Authorization: Bearer KEY",
                "请发送有效的密钥：Authorization: Bearer KEY",
            ),
            Failure::OverRate { wait } => said!(
                self,
                lang,
                "die zulässige Rate ist erreicht: versuche es in {wait} s wieder",
                "grænsen er nået: prøv igen om {wait} s",
                "gränsen är nådd: försök igen om {wait} s",
                "已达到速率限制：请在 {wait} 秒后重试",
            ),
            Failure::NoFeedback => said!(
                self,
                lang,
                "dieser Dienst nimmt keine Rückmeldungen an",
                "denne tjeneste tager ikke imod feedback",
                "den här tjänsten tar inte emot återkoppling",
                "此服务不接受反馈",
            ),
            Failure::NoSuchFeedback => said!(
                self,
                lang,
                "diese Rückmeldung gibt es nicht, oder sie wurde gelöscht",
                "feedbacken findes ikke eller er slettet",
                "återkopplingen finns inte eller har tagits bort",
                "该反馈不存在或已删除",
            ),
            Failure::WrongToken => said!(
                self,
                lang,
                "das Token gehört nicht zu dieser Rückmeldung",
                "tokenet hører ikke til denne feedback",
                "token hör inte till den här återkopplingen",
                "令牌与该反馈不符",
            ),
            Failure::FeedbackFull => said!(
                self,
                lang,
                "der Speicher für Rückmeldungen ist voll: versuche es später wieder",
                "lageret til feedback er fuldt: prøv igen senere",
                "lagret för återkoppling är fullt: försök igen senare",
                "反馈存储已满：请稍后重试",
            ),
            Failure::NoJobs => said!(
                self,
                lang,
                "dieser Dienst nimmt keine Aufträge an",
                "denne tjeneste tager ikke imod job",
                "den här tjänsten tar inte emot jobb",
                "此服务不接受任务",
            ),
            Failure::NoSuchJob => said!(
                self,
                lang,
                "diesen Auftrag gibt es nicht, oder er wurde gelöscht",
                "jobbet findes ikke eller er slettet",
                "jobbet finns inte eller har tagits bort",
                "该任务不存在或已删除",
            ),
            Failure::InFlight { .. } => said!(
                self,
                lang,
                "eine Anfrage mit diesem Idempotenzschlüssel wird noch bearbeitet: versuche es später wieder",
                "en anmodning med denne idempotensnøgle behandles stadig: prøv igen senere",
                "en begäran med den här idempotensnyckeln behandlas fortfarande: försök igen senare",
                "使用该幂等键的请求仍在处理：请稍后重试",
            ),
            Failure::KeyReused => said!(
                self,
                lang,
                "dieser Idempotenzschlüssel wurde für eine andere Anfrage benutzt: jede braucht ihren eigenen",
                "denne idempotensnøgle er brugt til en anden anmodning: hver skal have sin egen",
                "den här idempotensnyckeln har använts för en annan begäran: varje begäran behöver en egen",
                "该幂等键已用于另一个请求：每个请求需要自己的键",
            ),
            Failure::TooManyJobs { most } => {
                let de = format_count(*most, "unbeendeter Auftrag ist", "unbeendete Aufträge sind");
                let da = format_count(*most, "uafsluttet job er", "uafsluttede job er");
                let sv = format_count(
                    *most,
                    "oavslutat jobb är tillåtet",
                    "oavslutade jobb är tillåtna",
                );
                said!(
                    self,
                    lang,
                    "höchstens {de} erlaubt: warte, bis einer endet",
                    "højst {da} tilladt: vent, til et er slut",
                    "högst {sv}: vänta tills ett är klart",
                    "最多允许 {most} 个未完成的任务：请等待其中一个结束",
                )
            }
            Failure::NoWebhooks => said!(
                self,
                lang,
                "Webhooks sind abgeschaltet: der Betreiber muss mit --seal-key (TILESIGHT_SEAL_KEY) eine Schlüsseldatei nennen",
                "webhooks er slået fra: driften skal angive en nøglefil med --seal-key (TILESIGHT_SEAL_KEY)",
                "webhooks är avstängda: driften måste ange en nyckelfil med --seal-key (TILESIGHT_SEAL_KEY)",
                "Webhook 未启用：运维者须用 --seal-key（TILESIGHT_SEAL_KEY）指定密钥文件",
            ),
            Failure::TooMuchKept { most } => said!(
                self,
                lang,
                "deine Aufträge dürfen höchstens {most} Byte belegen: lösche einen, den du nicht mehr brauchst",
                "dine job må højst fylde {most} byte: slet et, du ikke længere har brug for",
                "dina jobb får uppta högst {most} byte: ta bort ett som du inte längre behöver",
                "你的任务最多占用 {most} 字节：请删除不再需要的任务",
            ),
            Failure::NoRoom => said!(
                self,
                lang,
                "der Speicher für Aufträge ist voll: der Betreiber kann Platz schaffen",
                "lageret til job er fuldt: driften kan skaffe plads",
                "lagret för jobb är fullt: driften kan frigöra plats",
                "任务存储已满：运维者可以腾出空间",
            ),
            Failure::NoSpace { .. } => said!(
                self,
                lang,
                "der Dienst hat keinen Platz mehr dafür und hat nichts gespeichert: der Betreiber kann Platz schaffen",
                "tjenesten har ikke plads til at gemme det og har intet gemt: driften kan skaffe plads",
                "tjänsten har inte plats att spara det och har inte sparat något: driften kan frigöra plats",
                "服务已无存储空间，未保存任何内容：运维者可以腾出空间",
            ),
            Failure::Storage { .. } => said!(
                self,
                lang,
                "Aufträge können gerade nicht gespeichert werden: versuche es später wieder",
                "job kan ikke gemmes lige nu: prøv igen senere",
                "jobb kan inte sparas just nu: försök igen senare",
                "暂时无法保存任务：请稍后重试",
            ),
            Failure::NoGames => said!(
                self,
                lang,
                "dieser Dienst führt keine Spiele",
                "denne tjeneste gemmer ikke spil",
                "den här tjänsten sparar inga spel",
                "此服务不保存牌局",
            ),
            Failure::NoSuchGame => said!(
                self,
                lang,
                "dieses Spiel gibt es nicht, oder es wurde gelöscht",
                "spillet findes ikke eller er slettet",
                "spelet finns inte eller har tagits bort",
                "该牌局不存在或已删除",
            ),
            Failure::StaleGame => said!(
                self,
                lang,
                "das Spiel wurde inzwischen geändert: lade es neu und versuche es wieder",
                "spillet er ændret i mellemtiden: hent det igen, og prøv igen",
                "spelet har ändrats under tiden: ladda om det och försök igen",
                "牌局已被他人修改：请重新加载后重试",
            ),
            Failure::Unconditional => said!(
                self,
                lang,
                "sende If-Match mit dem ETag der Revision, die du gelesen hast",
                "send If-Match med ETag for den revision, du har læst",
                "skicka If-Match med ETag för den revision du läste",
                "请在 If-Match 中发送所读修订的 ETag",
            ),
            Failure::TooManyGames { most } => {
                let de = format_count(*most, "Spiel wird", "Spiele werden");
                said!(
                    self,
                    lang,
                    "höchstens {de} für dich geführt: lösche eines",
                    "højst {most} spil gemmes for dig: slet et",
                    "högst {most} spel sparas åt dig: ta bort ett",
                    "最多为你保存 {most} 个牌局：请删除一个",
                )
            }
            Failure::GamesFull { most } => {
                let de = format_count(*most, "Spiel", "Spiele");
                said!(
                    self,
                    lang,
                    "dieser Dienst führt höchstens {de}",
                    "denne tjeneste gemmer højst {most} spil",
                    "den här tjänsten sparar högst {most} spel",
                    "此服务最多保存 {most} 个牌局",
                )
            }
            Failure::Crowded(StreamLimit::Client) => said!(
                self,
                lang,
                "du verfolgst so viele Spiele zugleich, wie erlaubt sind: schließe eines",
                "du følger så mange spil på én gang, som er tilladt: luk et",
                "du följer så många spel samtidigt som är tillåtet: stäng ett",
                "你同时关注的牌局已达上限：请关闭一个",
            ),
            Failure::Crowded(StreamLimit::Players) => said!(
                self,
                lang,
                "so viele Geräte verfolgen dieses Spiel, wie mitspielen können: schließe eines",
                "så mange enheder følger dette spil, som kan spille det: luk en",
                "så många enheter följer det här spelet som kan spela det: stäng en",
                "关注此牌局的设备已达上限：请关闭一个",
            ),
            Failure::Crowded(StreamLimit::Link) => said!(
                self,
                lang,
                "dieser Link hat so viele Zuschauer, wie er haben kann: versuche es später wieder",
                "dette link har så mange seere, som det kan: prøv igen senere",
                "den här länken har så många tittare som den kan: försök igen senare",
                "此链接的观看人数已满：请稍后重试",
            ),
            Failure::Crowded(StreamLimit::Onlookers) => said!(
                self,
                lang,
                "dieses Spiel hat so viele Zuschauer, wie es haben kann: versuche es später wieder",
                "dette spil har så mange seere, som det kan: prøv igen senere",
                "det här spelet har så många tittare som det kan: försök igen senare",
                "此牌局的观看人数已满：请稍后重试",
            ),
            Failure::Crowded(StreamLimit::All) => said!(
                self,
                lang,
                "so viele Geräte verfolgen hier Spiele, wie möglich sind: versuche es später wieder",
                "så mange klienter følger spil her, som der kan: prøv igen senere",
                "så många klienter följer spel här som kan: försök igen senare",
                "此服务的关注人数已满：请稍后重试",
            ),
            Failure::WrongHost { name } => said!(
                self,
                lang,
                "dieser Dienst antwortet nicht auf den Namen {name}: ist es sein eigener, starte ihn mit --host {name}",
                "denne tjeneste svarer ikke på navnet {name}: er det dens eget, så start den med --host {name}",
                "den här tjänsten svarar inte på namnet {name}: är det dess eget, starta den med --host {name}",
                "此服务不响应名称 {name}：如果这是它自己的名称，请用 --host {name} 启动",
            ),
            Failure::ForeignPage => said!(
                self,
                lang,
                "ohne Schlüssel dürfen Seiten anderer Websites diesen Dienst nicht benutzen: ist es seine eigene hinter einem Proxy, starte ihn mit --host und ihrem Namen",
                "uden nøgler må sider fra andre websteder ikke bruge denne tjeneste: er det dens eget bag en proxy, så start den med --host og dets navn",
                "utan nycklar får sidor från andra webbplatser inte använda tjänsten: är det dess egen bakom en proxy, starta den med --host och dess namn",
                "未设密钥时，其他网站的页面不得使用此服务：如果是代理后面的自有网站，请用 --host 加网站名称启动",
            ),
            Failure::Share { what } => {
                let what = what.said(lang);
                said!(
                    self,
                    lang,
                    "du belegst deinen Anteil ({what}): warte, bis etwas davon endet",
                    "du bruger din andel ({what}): vent, til noget af det er slut",
                    "du använder din andel ({what}): vänta tills något av det är klart",
                    "你已占用自己的份额（{what}）：请等待其中之一结束",
                )
            }
            Failure::Busy => said!(
                self,
                lang,
                "zu viele Fotos auf einmal: versuche es gleich wieder",
                "for mange billeder på én gang: prøv igen om lidt",
                "för många bilder på en gång: försök igen strax",
                "同时处理的照片过多：请稍后重试",
            ),
            Failure::Starting => said!(
                self,
                lang,
                "die Modelle werden geladen: versuche es gleich wieder",
                "modellerne indlæses: prøv igen om lidt",
                "modellerna läses in: försök igen strax",
                "正在加载模型：请稍后重试",
            ),
            Failure::Stopping => said!(
                self,
                lang,
                "der Dienst wird beendet",
                "tjenesten stopper",
                "tjänsten stoppas",
                "服务正在停止",
            ),
            Failure::Overdue => said!(
                self,
                lang,
                "die Antwort dauerte zu lange: versuche es wieder",
                "svaret tog for lang tid: prøv igen",
                "svaret tog för lång tid: försök igen",
                "处理超时：请重试",
            ),
            Failure::NoSuchPath => said!(
                self,
                lang,
                "unter diesem Pfad gibt es nichts",
                "der er intet på denne sti",
                "det finns inget på den här sökvägen",
                "该路径不存在",
            ),
            Failure::NoSuchMethod => said!(
                self,
                lang,
                "der Header Allow nennt die Methoden dieses Pfads",
                "headeren Allow viser stiens metoder",
                "huvudet Allow anger sökvägens metoder",
                "Allow 头列出了该路径支持的方法",
            ),
            Failure::Internal { .. } => said!(
                self,
                lang,
                "das Protokoll nennt die Ursache unter der Kennung der Anfrage",
                "loggen har årsagen under anmodningens id",
                "loggen har orsaken under begärans id",
                "日志中可按请求编号查到原因",
            ),
        }
    }
}

impl fmt::Display for SharedResource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SharedResource::Uploads => "uploads",
            SharedResource::JobUploads => "uploads of jobs",
            SharedResource::EventStreams => "event streams",
            SharedResource::Feedback => "storage for feedback",
        })
    }
}

impl Message for SharedResource {
    fn said(&self, lang: Lang) -> String {
        match self {
            SharedResource::Uploads => {
                said!(self, lang, "Uploads", "uploads", "uppladdningar", "上传")
            }
            SharedResource::JobUploads => said!(
                self,
                lang,
                "Uploads von Aufträgen",
                "uploads af job",
                "uppladdningar av jobb",
                "任务上传"
            ),
            SharedResource::Feedback => said!(
                self,
                lang,
                "Speicher für Rückmeldungen",
                "lager til feedback",
                "lager för återkoppling",
                "反馈存储"
            ),
            SharedResource::EventStreams => said!(
                self,
                lang,
                "Ereignisströme",
                "hændelsesstrømme",
                "händelseströmmar",
                "事件流"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::check;

    use super::*;
    use crate::service::answer::failure::tests::failures;

    #[test]
    fn every_failure_is_said_in_five_languages() {
        let parts =
            ["7777", "name.example", "Bearer KEY", "--host", "--seal-key", "If-Match", "Allow"];
        check(failures(), &parts);
        for failure in failures() {
            assert!(!failure.said(Lang::De).contains("secret"), "{failure:?}");
        }
    }
}
