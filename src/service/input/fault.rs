//! Faults of a request that only the service has, in five languages; the contract has the others.
//!
//! Output: a [`ServiceFault`] for each message. Invariant: the field or part is named next to the
//! fault; a new fault does not compile without its texts.

use tilesight_core::explain::{Lang, Message, said};

/// Fault of a field, a part or a header of a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ServiceFault {
    /// A job without a photo.
    #[error("the request contains no photo")]
    NoPhoto,
    /// Two photos of the same name, although a manifest names them.
    #[error("two photos are named {name:?}: names must differ where there is a manifest")]
    AlikePhotos {
        /// Name of both photos.
        name: String,
    },
    /// A line of the manifest that names a photo that was not sent.
    #[error("the request contains no photo named {name:?}")]
    NoSuchPhoto {
        /// Name in the line.
        name: String,
    },
    /// A photo that no line of the manifest names.
    #[error("no line of the manifest names {name:?}")]
    UnnamedPhoto {
        /// Name of the photo.
        name: String,
    },
    /// A value other than one boolean.
    #[error("expected one `true` or `false`")]
    OneBoolean,
    /// An unusable idempotency key.
    #[error("expected one key of 1 to {most} visible characters")]
    KeyLength {
        /// Maximum number of characters.
        most: usize,
    },
    /// Two manifests.
    #[error("there is more than one manifest.jsonl")]
    TwoManifests,
    /// A body that ended early.
    #[error("the body ended early")]
    EarlyEnd,
    /// A form whose parts can't be separated.
    #[error("the content type has no boundary between the parts")]
    NoBoundary,
    /// A form that can't be parsed.
    #[error("the form can't be parsed, or the body ended early")]
    BrokenForm,
    /// A player other than the winner, without a hand.
    #[error("`hand` or `photo` is missing")]
    HandOrPhoto,
    /// A player other than the winner, with two hands.
    #[error("a hand is either typed (`hand`) or a photo (`photo`), not both")]
    HandAndPhoto,
    /// A text that is too long.
    #[error("at most {most} characters")]
    LongText {
        /// Maximum number of characters.
        most: usize,
    },
    /// A text that is too long or has unprintable characters.
    #[error("expected up to {most} characters that can be printed")]
    PrintableText {
        /// Maximum number of characters.
        most: usize,
    },
    /// An unusable name of a row.
    #[error("expected a name of 1 to {most} visible characters")]
    RowName {
        /// Maximum number of characters.
        most: usize,
    },
    /// Two rows of the same name.
    #[error("the name is given twice: {name:?}; give each line its own `custom_id`")]
    RowNameTwice {
        /// Name of both rows.
        name: String,
    },
    /// A correction where none is accepted.
    #[error("a job takes no corrections: leave the field out, or use `tilesight batch`")]
    NoCorrections,
    /// A deletion of feedback without a token.
    #[error("send the token of the feedback in the header Feedback-Token")]
    NoToken,
    /// A precondition that names no revision.
    #[error("expected an ETag of the game or `*`")]
    NotARevision,
    /// No Host header, or several.
    #[error("expected exactly one Host header")]
    OneHost,
    /// An unusable host.
    #[error("expected a host name or an address")]
    BadHost,
    /// More photos than a job may have.
    #[error("a job may have at most {most} photos")]
    PhotosOfJob {
        /// Maximum number of photos.
        most: usize,
    },
    /// More bytes than a job may have.
    #[error("the photos of a job may have at most {most} bytes together, sent or unpacked")]
    BytesOfJob {
        /// Maximum number of bytes.
        most: usize,
    },
    /// More reviewers than a photo may have.
    #[error("many reviewers have answered this photo: answer under one of their names")]
    ManyReviewers,
    /// An address that can't be used, or whose receiver did not accept a message and did not
    /// answer. The reason is only in the log, because strangers must not learn what resolves,
    /// listens or has which certificate inside this network.
    #[error(
        "nothing can be sent there: expected https://HOST/PATH on the public Internet, without a name or password in it, and a receiver that answers in time"
    )]
    WebhookAddress,
    /// An unusable secret.
    #[error("expected `whsec_` and 24 to 64 bytes in base64")]
    WebhookSecret,
    /// A rule set that does not exist.
    #[error("there is no rule set with this id; there are {known}")]
    NoRuleset {
        /// Ids of the existing rule sets, separated by commas.
        known: String,
    },
    /// A photo that is not in the queue.
    #[error("there is no photo with this index, or it has not been read yet")]
    NoReviewedPhoto,
    /// A photo that is not stored any more.
    #[error(
        "the photo is not stored any more: it stays with its job if the job is created with `keep_photos=true`"
    )]
    NoStoredPhoto,
}

impl Message for ServiceFault {
    fn said(&self, lang: Lang) -> String {
        match self {
            ServiceFault::NoPhoto => said!(
                self,
                lang,
                "die Anfrage enthält kein Foto",
                "anmodningen indeholder intet billede",
                "begäran innehåller ingen bild",
                "请求中没有照片",
            ),
            ServiceFault::AlikePhotos { name } => said!(
                self,
                lang,
                "zwei Fotos heißen {name:?}: wo es ein Manifest gibt, müssen sich die Namen unterscheiden",
                "to billeder hedder {name:?}: navnene skal være forskellige, hvor der er et manifest",
                "två bilder heter {name:?}: namnen måste vara olika där det finns ett manifest",
                "有两张照片名为 {name:?}：有清单时名称必须不同",
            ),
            ServiceFault::NoSuchPhoto { name } => said!(
                self,
                lang,
                "die Anfrage enthält kein Foto mit dem Namen {name:?}",
                "anmodningen indeholder intet billede med navnet {name:?}",
                "begäran innehåller ingen bild med namnet {name:?}",
                "请求中没有名为 {name:?} 的照片",
            ),
            ServiceFault::UnnamedPhoto { name } => said!(
                self,
                lang,
                "keine Zeile des Manifests nennt {name:?}",
                "ingen linje i manifestet nævner {name:?}",
                "ingen rad i manifestet nämner {name:?}",
                "清单中没有一行提到 {name:?}",
            ),
            ServiceFault::OneBoolean => said!(
                self,
                lang,
                "erwartet wird einmal `true` oder `false`",
                "forventet: én gang `true` eller `false`",
                "förväntat: en gång `true` eller `false`",
                "应为一个 `true` 或 `false`",
            ),
            ServiceFault::KeyLength { most } => said!(
                self,
                lang,
                "erwartet wird ein Schlüssel aus 1 bis {most} sichtbaren Zeichen",
                "forventet: én nøgle på 1 til {most} synlige tegn",
                "förväntat: en nyckel med 1 till {most} synliga tecken",
                "应为一个 1 到 {most} 个可见字符的键",
            ),
            ServiceFault::TwoManifests => said!(
                self,
                lang,
                "es gibt mehr als eine manifest.jsonl",
                "der er mere end én manifest.jsonl",
                "det finns mer än en manifest.jsonl",
                "有不止一个 manifest.jsonl",
            ),
            ServiceFault::EarlyEnd => said!(
                self,
                lang,
                "der Inhalt endete zu früh",
                "indholdet sluttede for tidligt",
                "innehållet slutade för tidigt",
                "请求正文提前结束",
            ),
            ServiceFault::NoBoundary => said!(
                self,
                lang,
                "der Inhaltstyp nennt keine Grenze (`boundary`) zwischen den Teilen",
                "indholdstypen angiver ingen grænse (`boundary`) mellem delene",
                "innehållstypen anger ingen gräns (`boundary`) mellan delarna",
                "内容类型没有给出各部分之间的分隔符（`boundary`）",
            ),
            ServiceFault::BrokenForm => said!(
                self,
                lang,
                "das Formular ist nicht lesbar, oder der Inhalt endete zu früh",
                "formularen kan ikke læses, eller indholdet sluttede for tidligt",
                "formuläret kan inte läsas, eller innehållet slutade för tidigt",
                "无法解析表单，或请求正文提前结束",
            ),
            ServiceFault::HandOrPhoto => said!(
                self,
                lang,
                "`hand` oder `photo` fehlt",
                "`hand` eller `photo` mangler",
                "`hand` eller `photo` saknas",
                "缺少 `hand` 或 `photo`",
            ),
            ServiceFault::HandAndPhoto => said!(
                self,
                lang,
                "eine Hand ist entweder getippt (`hand`) oder ein Foto (`photo`), nicht beides",
                "en hånd er enten tastet (`hand`) eller et billede (`photo`), ikke begge dele",
                "en hand är antingen inskriven (`hand`) eller en bild (`photo`), inte båda",
                "一手牌要么是文字（`hand`），要么是照片（`photo`），不能两者都有",
            ),
            ServiceFault::LongText { most } => said!(
                self,
                lang,
                "höchstens {most} Zeichen",
                "højst {most} tegn",
                "högst {most} tecken",
                "最多 {most} 个字符",
            ),
            ServiceFault::PrintableText { most } => said!(
                self,
                lang,
                "erwartet werden bis zu {most} druckbare Zeichen",
                "forventet: op til {most} tegn, der kan udskrives",
                "förväntat: upp till {most} tecken som kan skrivas ut",
                "应为最多 {most} 个可打印字符",
            ),
            ServiceFault::RowName { most } => said!(
                self,
                lang,
                "erwartet wird ein Name aus 1 bis {most} sichtbaren Zeichen",
                "forventet: et navn på 1 til {most} synlige tegn",
                "förväntat: ett namn med 1 till {most} synliga tecken",
                "应为 1 到 {most} 个可见字符的名称",
            ),
            ServiceFault::RowNameTwice { name } => said!(
                self,
                lang,
                "der Name ist doppelt: {name:?}; gib jeder Zeile eine eigene `custom_id`",
                "navnet er angivet to gange: {name:?}; giv hver linje sit eget `custom_id`",
                "namnet är angivet två gånger: {name:?}; ge varje rad ett eget `custom_id`",
                "名称重复：{name:?}；请给每行各自的 `custom_id`",
            ),
            ServiceFault::NoCorrections => said!(
                self,
                lang,
                "ein Auftrag nimmt keine Korrekturen an: lass das Feld weg, oder nimm `tilesight batch`",
                "et job tager ikke imod rettelser: udelad feltet, eller brug `tilesight batch`",
                "ett jobb tar inte emot rättelser: utelämna fältet, eller använd `tilesight batch`",
                "任务不接受更正：请去掉该字段，或使用 `tilesight batch`",
            ),
            ServiceFault::NoToken => said!(
                self,
                lang,
                "sende das Token der Rückmeldung im Header Feedback-Token",
                "send feedbackens token i headeren Feedback-Token",
                "skicka återkopplingens token i headern Feedback-Token",
                "请在 Feedback-Token 标头中发送反馈的令牌",
            ),
            ServiceFault::NotARevision => said!(
                self,
                lang,
                "erwartet wird ein ETag des Spiels oder `*`",
                "forventet: et ETag for spillet eller `*`",
                "förväntat: en ETag för spelet eller `*`",
                "应为牌局的 ETag 或 `*`",
            ),
            ServiceFault::OneHost => said!(
                self,
                lang,
                "erwartet wird genau ein Host-Header",
                "forventet: præcis én Host-header",
                "förväntat: exakt en Host-header",
                "应恰好有一个 Host 标头",
            ),
            ServiceFault::BadHost => said!(
                self,
                lang,
                "erwartet wird ein Hostname oder eine Adresse",
                "forventet: et værtsnavn eller en adresse",
                "förväntat: ett värdnamn eller en adress",
                "应为主机名或地址",
            ),
            ServiceFault::PhotosOfJob { most } => said!(
                self,
                lang,
                "ein Auftrag darf höchstens {most} Fotos haben",
                "et job må højst have {most} billeder",
                "ett jobb får ha högst {most} bilder",
                "一个任务最多 {most} 张照片",
            ),
            ServiceFault::BytesOfJob { most } => said!(
                self,
                lang,
                "die Fotos eines Auftrags dürfen zusammen höchstens {most} Byte haben, gesendet oder ausgepackt",
                "et jobs billeder må tilsammen højst være {most} byte, sendt eller pakket ud",
                "ett jobbs bilder får tillsammans ha högst {most} byte, skickade eller uppackade",
                "一个任务的照片合计最多 {most} 字节，无论是发送的还是解压后的",
            ),
            ServiceFault::ManyReviewers => said!(
                self,
                lang,
                "viele haben dieses Foto schon beurteilt: antworte unter einem ihrer Namen",
                "mange har allerede vurderet billedet: svar under et af deres navne",
                "många har redan granskat bilden: svara under ett av deras namn",
                "已有许多人审核过这张照片：请用其中一个名字回答",
            ),
            ServiceFault::WebhookAddress => said!(
                self,
                lang,
                "dorthin lässt sich nichts senden: erwartet wird https://HOST/PATH im öffentlichen Internet, ohne Namen oder Passwort darin, und ein Empfänger, der rechtzeitig antwortet",
                "der kan intet sendes dertil: forventet er https://HOST/PATH på det offentlige internet, uden navn eller adgangskode i, og en modtager, der svarer i tide",
                "dit kan inget skickas: väntat var https://HOST/PATH på det öppna internet, utan namn eller lösenord i, och en mottagare som svarar i tid",
                "无法发送到该地址：应为公共互联网上的 https://HOST/PATH，且不含用户名或密码，接收方还须及时应答",
            ),
            ServiceFault::WebhookSecret => said!(
                self,
                lang,
                "erwartet werden `whsec_` und 24 bis 64 Byte in Base64",
                "forventet: `whsec_` og 24 til 64 byte i base64",
                "förväntat: `whsec_` och 24 till 64 byte i base64",
                "应为 `whsec_` 加 24 到 64 字节的 base64",
            ),
            ServiceFault::NoRuleset { known } => said!(
                self,
                lang,
                "es gibt kein Regelwerk mit dieser Id; es gibt {known}",
                "der er intet regelsæt med dette id; der findes {known}",
                "det finns ingen regeluppsättning med detta id; det finns {known}",
                "没有此 id 的规则；可用的有 {known}",
            ),
            ServiceFault::NoReviewedPhoto => said!(
                self,
                lang,
                "es gibt kein Foto mit dieser Nummer, oder es ist noch nicht gelesen",
                "der er intet billede med dette nummer, eller det er ikke læst endnu",
                "det finns ingen bild med detta nummer, eller så är den inte avläst än",
                "没有此序号的照片，或尚未识别",
            ),
            ServiceFault::NoStoredPhoto => said!(
                self,
                lang,
                "das Foto ist nicht mehr gespeichert: es bleibt bei seinem Auftrag, wenn dieser mit `keep_photos=true` angelegt wird",
                "billedet er ikke gemt længere: det bliver hos sit job, hvis jobbet oprettes med `keep_photos=true`",
                "bilden är inte sparad längre: den blir kvar hos sitt jobb om jobbet skapas med `keep_photos=true`",
                "照片已不再保存：用 `keep_photos=true` 创建任务时，照片会保留在任务中",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::check;

    use super::*;

    #[test]
    fn every_fault_of_the_service_is_said_in_five_languages() {
        let (most, name, known) = (4711, "a.jpg".to_owned(), "mcr-wmo, mmm".to_owned());
        let faults = [
            ServiceFault::NoPhoto,
            ServiceFault::AlikePhotos { name: name.clone() },
            ServiceFault::NoSuchPhoto { name: name.clone() },
            ServiceFault::UnnamedPhoto { name: name.clone() },
            ServiceFault::OneBoolean,
            ServiceFault::KeyLength { most },
            ServiceFault::TwoManifests,
            ServiceFault::EarlyEnd,
            ServiceFault::NoBoundary,
            ServiceFault::BrokenForm,
            ServiceFault::HandOrPhoto,
            ServiceFault::HandAndPhoto,
            ServiceFault::LongText { most },
            ServiceFault::PrintableText { most },
            ServiceFault::RowName { most },
            ServiceFault::RowNameTwice { name },
            ServiceFault::NoCorrections,
            ServiceFault::NoToken,
            ServiceFault::NotARevision,
            ServiceFault::OneHost,
            ServiceFault::BadHost,
            ServiceFault::PhotosOfJob { most },
            ServiceFault::BytesOfJob { most },
            ServiceFault::ManyReviewers,
            ServiceFault::WebhookAddress,
            ServiceFault::WebhookSecret,
            ServiceFault::NoRuleset { known },
            ServiceFault::NoReviewedPhoto,
            ServiceFault::NoStoredPhoto,
        ];
        let parts = [
            "4711",
            "\"a.jpg\"",
            "mcr-wmo, mmm",
            "`true`",
            "`hand`",
            "`photo`",
            "`custom_id`",
            "`tilesight batch`",
            "manifest.jsonl",
            "Feedback-Token",
            "`whsec_`",
            "`keep_photos=true`",
            "https://HOST/PATH",
        ];
        check(faults, &parts);
    }
}
